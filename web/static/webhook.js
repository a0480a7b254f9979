// The page of one endpoint: its last deliveries, kept up to date.
import "./settings.js";
import { byId, empty } from "./dom.js";
import { liveList } from "./deliverylist.js";
import { t } from "./words.js";

const box = byId("deliveries");
liveList(box, { webhookId: box.dataset.webhook }, { limit: 10, more: false, none: () => empty(t("Nothing was sent yet"), t("Send a test to see whether the receiver takes it.")) });
