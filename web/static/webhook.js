// The page of one endpoint: its last deliveries are kept up to date.
import "./settings.js";
import { follow } from "./deliverylist.js";

follow();
