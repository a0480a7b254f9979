// The page of one endpoint: its last deliveries, kept up to date.
import "./settings.js";
import { byId, empty } from "./dom.js";
import { liveList } from "./deliverylist.js";

const box = byId("deliveries");
liveList(box, { webhookId: box.dataset.webhook }, { limit: 10, more: false, none: () => empty("Nothing was sent yet", "Send a test to see whether the receiver takes it.") });
