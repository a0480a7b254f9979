// The guides of the manual: code can be copied.
import "./manual.js";
import { copyButtons } from "./copy.js";

copyButtons(document.querySelectorAll("#guide pre"));
