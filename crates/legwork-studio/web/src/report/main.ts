/** The page of a report: reads the document that the program put into it and lays it out. */

import type { Report } from "../view/document";
import { show } from "./page";

show(JSON.parse(document.getElementById("report")!.textContent!) as Report, document.getElementById("page")!);
