import { useState } from "react";
import type { SessionState } from "../../../../src/contract/accountResources.ts";
import { goTo, type Place } from "../../place/place.ts";
import { useSession } from "../../session/session.tsx";
import { Confirm } from "./Confirm.tsx";
import { Forgot } from "./Forgot.tsx";
import { Frame } from "./Frame.tsx";
import { Reset } from "./Reset.tsx";
import { SignIn } from "./SignIn.tsx";
import { SignUp } from "./SignUp.tsx";

interface Props {
  readonly place: Place;
  readonly state: SessionState;
}

/** The screens of who is not signed in, and those where links of mails lead. */
export function Visitor({ place, state }: Props) {
  const { reload } = useSession();
  const [isReset, setReset] = useState(false);
  const finishReset = () => {
    setReset(true);
    reload();
    goTo("sign-in");
  };
  return <Frame>{screenOf()}</Frame>;

  function screenOf() {
    const { errand, screen } = place;
    if (errand?.kind === "confirm") return <Confirm token={errand.token} />;
    if (errand?.kind === "reset") return <Reset token={errand.token} onDone={finishReset} />;
    if (errand?.kind === "invite" || screen === "sign-up")
      return <SignUp state={state} invite={errand?.token} />;
    if (screen === "forgot") return <Forgot state={state} />;
    return <SignIn state={state} isReset={isReset} />;
  }
}
