// The booking photograph of a person, small and only when it comes into view. Its address works for five minutes, so it is asked
// for with the record and never remembered. One that comes into view later asks for another address.
import { ask, gql } from "./api.js";
import { h } from "./dom.js";
import { day } from "./format.js";
import { t } from "./words.js";
/** @import { DataOf } from "../gql" */

/** The selection of a photograph, for a query. */
export const photographFields = gql("fragment Photograph on RosterRecord { id mugshot(size: SMALL) { url width height takenAt } }");
const anew = gql("query Photograph($id: ID!) { rosterRecord(id: $id) { ...Photograph } }", [photographFields]);

const choice = "rollcall-blur";

/** Whether this browser shows photographs blurred until they are asked for. */
export const blurs = () => localStorage.getItem(choice) === "yes";

/** Notes that choice. */
export const setBlur = (yes) => (yes ? localStorage.setItem(choice, "yes") : localStorage.removeItem(choice));

/**
 * The photograph of a booking at most side pixels high; null without one. Inside of a link it stays blurred: the link leads to where it can be asked for.
 * @param {DataOf<typeof photographFields>} record
 * @param {number} side
 */
export function photograph(record, side, inLink = false) {
  const m = record.mugshot;
  if (!m) return null;
  const scale = Math.min(1, side / m.height, side / m.width);
  const image = h("img", {
    src: here(m.url),
    width: Math.round(m.width * scale),
    height: Math.round(m.height * scale),
    loading: "lazy",
    decoding: "async",
    class: "photograph",
    alt: t("booking photograph of the jail, {takenAt}", { takenAt: day(m.takenAt) }),
  });
  return kept(image, record.id, inLink);
}

/** Blurs an image where the reader wishes so, with a button that shows it, and asks for its address again when that is over. */
function kept(image, id, inLink) {
  let whole = image;
  image.classList.toggle("blurred", blurs());
  if (blurs() && !inLink) {
    whole = h("div", { class: "photograph-asked" });
    image.replaceWith(whole);
    whole.append(
      image,
      h(
        "button",
        {
          type: "button",
          click: (e) => {
            image.classList.remove("blurred");
            e.currentTarget.remove();
          },
        },
        t("Show photograph"),
      ),
    );
  }
  let again = false;
  image.addEventListener("error", async () => {
    if (again) return whole.remove();
    again = true; // its address is over, or it was removed since
    const now = await ask(anew, { id }).catch(() => null);
    if (now?.rosterRecord?.mugshot) image.src = here(now.rosterRecord.mugshot.url);
    else whole.remove();
  });
  return whole;
}

/** The address on this page’s own origin, whatever name it was opened by. */
const here = (address) => new URL(address).pathname;

/** Takes over the photographs of a part of a page that the service made. The page keeps them blurred until this was called. */
export function showPhotographs(part) {
  for (const image of part.querySelectorAll("img[data-photograph]")) {
    const { photograph: id } = image.dataset;
    const broken = image.complete && !image.naturalWidth;
    kept(image, id, Boolean(image.closest("a")));
    image.removeAttribute("data-photograph");
    if (broken) image.dispatchEvent(new Event("error"));
  }
}
