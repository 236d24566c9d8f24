import "@mantine/core/styles.css";
import "virtual:theme.css";
import "../app/styles.css";
import "../components/cards.css";
import "./docs.css";
import { createRoot } from "react-dom/client";
import { DocsApp } from "./DocsApp.tsx";

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<DocsApp />);
