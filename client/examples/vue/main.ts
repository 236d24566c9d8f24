import { createApp } from "vue";
import CompanyForm from "./CompanyForm.vue";

createApp(CompanyForm).mount("#root");
