import "@mantine/core/styles.css";
import "./app/styles.css";
import "./components/cards.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { forgetOldLists } from "./pages/try/list/job/store.ts";

void forgetOldLists();

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
