import { createRoot } from "react-dom/client";
import { CompanyForm } from "./CompanyForm.tsx";

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<CompanyForm />);
