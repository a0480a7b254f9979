// The webhook guide: code can be copied.
import { copyButtons } from "./copy.js";

copyButtons(document.querySelectorAll("#guide pre"));
