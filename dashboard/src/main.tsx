import "@mantine/core/styles.css";
import "./app/styles.css";
import "./components/cards.css";
import { createRoot } from "react-dom/client";
import { App } from "./app/App.tsx";
import { deleteOldLists } from "./pages/try/list/job/openList.ts";

void deleteOldLists();

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
