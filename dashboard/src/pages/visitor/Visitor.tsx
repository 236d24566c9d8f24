import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { goTo, type Route } from "../../router/router.ts";
import { useSession } from "../../session/session.tsx";
import { StatusPage } from "../status/StatusPage.tsx";
import { WelcomePage } from "../welcome/WelcomePage.tsx";
import { Forgot } from "./Forgot.tsx";
import { Frame, OpenFrame } from "./Frame.tsx";
import { Confirm, ConfirmEmail, Reset } from "./MailLinks.tsx";
import { SignIn } from "./SignIn.tsx";
import { SignUp } from "./SignUp.tsx";

interface Props {
  readonly route: Route;
  readonly state: SessionState;
}

/** The screens for people who are not signed in, and for mail links. */
export function Visitor({ route, state }: Props) {
  const { reload, ended } = useSession();
  const [isReset, setReset] = useState(false);
  const finishReset = () => {
    setReset(true);
    reload();
    goTo("sign-in");
  };
  const isOpen = route.mailLink === undefined && (route.screen === undefined || route.screen === "status");
  if (isOpen && (ended === undefined || ended === "out")) {
    return (
      <OpenFrame>{route.screen === "status" ? <StatusPage /> : <WelcomePage state={state} />}</OpenFrame>
    );
  }
  return <Frame>{screenOf()}</Frame>;

  function screenOf() {
    const { mailLink, screen } = route;
    if (mailLink?.kind === "confirm") return <Confirm token={mailLink.token} />;
    if (mailLink?.kind === "email") return <ConfirmEmail token={mailLink.token} />;
    if (mailLink?.kind === "reset") return <Reset token={mailLink.token} onDone={finishReset} />;
    if (mailLink?.kind === "invite" || screen === "sign-up")
      return <SignUp state={state} invite={mailLink?.token} />;
    if (screen === "forgot") return <Forgot state={state} />;
    return <SignIn state={state} isReset={isReset} />;
  }
}
