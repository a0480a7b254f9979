package walk

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// marked is the field that has the keyboard, its validity and what describes it, or its group.
const marked = `(e => [e.name, e.getAttribute("aria-invalid"), (e.closest("fieldset") || e).getAttribute("aria-describedby")].join(" "))(document.activeElement).replace("  ", " null ")`

func createsAnAlert(t *testing.T, w *walk) {
	t.Helper()
	var booked struct {
		Roster struct{ Records []struct{ Name string } }
	}
	w.ask(`{ roster(limit: 1) { records { name } } }`, &booked)
	w.visit("/alerts/new")
	require.Equal(t, "name", eval[string](w.tab, "document.activeElement.id"))
	w.do(chromedp.KeyEvent(booked.Roster.Records[0].Name))
	w.until(`document.querySelector("#preview .hit")`)
	w.until(`/[1-9]\d* bookings? in our records: \d+ under this name, \d+ written another way/.test(document.querySelector("#year").textContent)`)
	require.Contains(t, eval[string](w.tab, `document.querySelector("#year").textContent`), "counties are covered")
	require.Contains(t, eval[string](w.tab, `document.querySelector("#year").textContent`), "on people with a different name.")
	w.settled()
	require.Contains(t, w.text(), "birth date not compared")
	require.NotContains(t, w.text(), "likely the person", "how alike a name is says nothing of who it is")
	require.Contains(t, w.text(), "surname agrees")
	w.soundly()

	t.Log("nothing is created before what would have been found is shown")
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.do(chromedp.KeyEvent("X" + kb.Enter))
	w.until(`!document.querySelector("#said").hidden`)
	require.Contains(t, w.text(), "at least two characters")
	require.Equal(t, "name true said name-hint", eval[string](w.tab, marked))
	w.accessible()
	t.Log("a name that finds nobody is refused at its field, with what helps")
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.write("#name", "J Smith"+kb.Enter)
	w.until(`document.activeElement.id === "name" && document.querySelector("#said").textContent.includes("or choose level wide")`)
	w.accessible()
	t.Log("a day that is none is told beside the form, and a preview that did not reach the service is tried again by itself")
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.write("#name", "Nobody Atall")
	w.write("#born", "1990-13-45"+kb.Tab)
	w.until(`document.querySelector("#said").textContent.includes("There is no such day")`)
	require.True(t, eval[bool](w.tab, `document.querySelector("#born").matches("[aria-invalid=true][aria-describedby='said born-hint']") && !document.querySelector("#name").hasAttribute("aria-invalid")`))
	eval[string](w.tab, `document.querySelector("#born").value = ""`)
	w.wire.cut()
	w.write("#born", "1990")
	w.until(`document.querySelector("#preview .note.bad")`)
	w.wire.mend()
	w.until(`document.querySelector("#preview").textContent.includes("No matching bookings in the last 30 days")`)
	w.forget() // Chromium notes the lost connection itself
	eval[string](w.tab, `document.querySelector("#name").value = document.querySelector("#born").value = ""`)
	w.write("#name", "Wren Moonsail")
	w.until(`document.querySelector("#preview").textContent.includes("No matching bookings in the last 30 days")`)

	t.Log("a county without a source says so at once, and offers the whole state")
	eval[bool](w.tab, `(document.querySelector("#county").value = "echols", document.querySelector("#county").dispatchEvent(new Event("input", { bubbles: true })))`)
	require.Contains(t, w.text(), "We don’t cover the Echols County jail. An alert there finds no one until we do.")
	w.until(`document.querySelector("#year").textContent.includes("We don’t cover the Echols County jail")`)
	w.accessible()
	w.click("#uncovered button")
	w.until(`document.querySelector("#uncovered").hidden && document.querySelector("#county").value === ""`)
	w.until(`document.querySelector("#preview").textContent.includes("No matching bookings in the last 30 days") && !document.querySelector("#preview").classList.contains("loading")`)

	t.Log("nor without a kind of event: the keyboard is led to the choices, which say so")
	eval[bool](w.tab, `(document.querySelectorAll("[name=events]").forEach(e => { e.checked = false; }), document.querySelector("#create").focus(), true)`)
	w.press(kb.Enter, `!document.querySelector("#said").hidden`)
	require.Equal(t, "events null said", eval[string](w.tab, marked))
	w.accessible()
	eval[bool](w.tab, `(document.querySelectorAll("[name=events]").forEach(e => { e.checked = true; }), true)`)
	w.write("#label", evil)
	w.write("#note", evil)
	w.tabTo("#create")
	w.press(kb.Enter, `location.pathname.startsWith("/alerts/alrt_")`)
	w.alert, _, _ = strings.Cut(w.path(), "?")
	require.Contains(t, w.text(), "Alert created.")
	require.Equal(t, 2, strings.Count(strings.ReplaceAll(w.text(), "\n", " "), evil), "label and note are text")
	w.soundly()
	w.visit("/alerts")
	require.Contains(t, w.text(), "Wren Moonsail "+evil)

	t.Log("an alert on a county without a source says so on its page and in the list")
	w.visit("/alerts/new?name=Moonsail,+Wren")
	w.until(`!document.querySelector("#already").hidden`)
	require.Contains(t, w.text(), "You already have this alert: Wren Moonsail (all of Georgia")
	w.accessible()
	w.visit("/alerts/new?name=Ida+Stormcrow&county=echols")
	w.do(chromedp.Focus("#name"))
	w.press(kb.Enter, `location.pathname.startsWith("/alerts/alrt_") && document.querySelector("#alert .chip.warn")`) // nobody is found, so the first Enter creates it
	require.Contains(t, w.text(), "We don’t cover the Echols County jail")
	w.accessible()
	blind := w.path()
	w.visit("/alerts")
	require.Equal(t, "not covered", eval[string](w.tab, `document.querySelector(".result .chip.warn").textContent`))
	w.visit(blind)
	w.click("#alert .note.warn button")
	w.until(`document.querySelector("#alert .person .chip.good")`)
	require.Contains(t, w.text(), "Echols County is not one of them.")
	eval[bool](w.tab, `fetch("/graphql", { method: "POST", headers: { "Content-Type": "application/json", "Rollcall-Page": document.querySelector("meta[name=page]").content }, body: JSON.stringify({ query: "mutation($id: ID!) { deleteAlert(id: $id) }", variables: { id: location.pathname.split("/").pop() } }) }).then((r) => r.ok)`)
}

func seesADeliveryAppear(t *testing.T, w *walk) {
	t.Helper()
	w.visit("/deliveries?state=DELIVERED")
	before := eval[int](w.tab, `document.querySelectorAll("[data-delivery]").length`)
	w.happens(1000)
	const mine = `[...document.querySelectorAll("[data-delivery]")].filter(e => e.textContent.includes("Moonsail") && e.textContent.includes("delivered"))`
	w.until(mine + `.length === 3`) // the demo's own receiver and its mailbox are told too
	require.Equal(t, before+3, eval[int](w.tab, `document.querySelectorAll("[data-delivery]").length`))
	require.Contains(t, w.text(), evil, "names and labels are text")
	w.soundly()

	sent := w.letters.last(t)
	sent.signedWith(t, "X-Service-Signature", w.secret)
	require.Contains(t, string(sent.body), `"event":"booking"`)
	t.Log("its page shows those bytes and the attempt, and sends them again")
	host := strings.TrimPrefix(w.hookURL, "https://")
	host, _, _ = strings.Cut(host, "/")
	eval[bool](w.tab, mine+`.find(e => e.textContent.includes(`+quoted(host)+`)).focus() || true`)
	w.press(kb.Enter, `location.pathname.startsWith("/deliveries/") && document.querySelector(".attempts")`)
	require.Equal(t, string(sent.body), eval[string](w.tab, `document.querySelector("details pre:not(.attempts pre)").textContent`))
	w.soundly()
	w.tabTo("details.confirm summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.accessible()
	w.tabTo("details.confirm[open] button:not([type=button])")
	w.press(kb.Enter, `document.body.innerText.includes("Attempt 2 succeeded")`)
	again := w.letters.last(t)
	require.Equal(t, sent.body, again.body)
	require.Equal(t, sent.header.Get("Webhook-Id"), again.header.Get("Webhook-Id"))

	t.Log("filters narrow the list, and stay in the address")
	w.visit("/deliveries")
	eval[bool](w.tab, `(() => { const s = document.querySelector("#state"); s.value = "DROPPED"; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	w.until(`document.body.innerText.includes("No matching delivery")`)
	require.Equal(t, "/deliveries?state=DROPPED", w.path())
	day := time.Now().In(models.Georgia).Format(time.DateOnly)
	w.visit("/deliveries?alert=" + strings.TrimPrefix(w.alert, "/alerts/") + "&from=" + day + "&to=" + day)
	require.Equal(t, 3, eval[int](w.tab, `document.querySelectorAll("[data-delivery]").length`), "the last day is a whole one")
	const mails = `[...document.querySelector("#webhook").options].find(o => o.textContent.includes("@"))`
	w.until("!!" + mails)
	eval[bool](w.tab, `(() => { const s = document.querySelector("#webhook"); s.value = `+mails+`.value; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	w.until(`document.querySelectorAll("[data-delivery]").length === 1`)
	require.Contains(t, w.text(), "to advocate@", "those to an e-mail address alone")
}

func followsLive(t *testing.T, w *walk) {
	t.Helper()
	const events = `document.querySelectorAll("[data-event]").length`
	w.visit("/activity")
	w.until(`document.querySelector("#connection").textContent === "live"`)
	require.Equal(t, 1, eval[int](w.tab, events))
	w.soundly()
	w.until(`document.querySelector("#connection").textContent === "live"`)

	t.Log("what happens while the connection is lost is told once it is there again")
	w.wire.cut()
	w.until(`document.querySelector("#connection").textContent.startsWith("connection losttrying again in ")`)
	w.happens(2000)
	w.wire.mend()
	eval[bool](w.tab, `document.querySelector("#again").hidden || document.querySelector("#again").click() || true`)
	w.until(events + ` === 2 && document.querySelector("#connection").textContent === "live"`)
	require.Contains(t, eval[string](w.tab, `document.querySelector("[data-event]").innerText`), "bond changed")
	w.forget() // Chromium notes the lost connection itself

	t.Log("paused, it keeps still and says how much has come")
	w.tabTo("#pause")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.happens(3000)
	w.until(`document.querySelector("#waiting button").textContent === "Show 1 new hit"`)
	require.Equal(t, 2, eval[int](w.tab, events))
	w.accessible()
	w.tabTo("#waiting button")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.until(events + ` === 3`)
	require.Contains(t, w.text(), "Moonsail, Wren "+evil)
	t.Log("each entry says from what to what the bond went, as of then and not as of now")
	require.Equal(t, []string{"$2,000 → $3,000", "$1,000 → $2,000"}, eval[[]string](w.tab, `[...document.querySelectorAll("[data-event] .step")].map(e => e.textContent)`))
	require.Contains(t, eval[string](w.tab, `document.querySelector("[data-event]:last-child").innerText`), "$1,000 bond", "the booking's own")
	w.soundly()
	t.Log("an event is answered where it is read")
	w.tabTo("[data-event] button.small-button")
	w.press(kb.Enter, `document.querySelector("[data-event]").innerText.includes("Confirmed.")`)
	require.Regexp(t, "^Confirmed: [A-Z][a-z]+", eval[string](w.tab, `document.querySelector("#news").textContent`))
	w.press(kb.Enter, `!document.querySelector("[data-event]").innerText.includes("Confirmed.")`) // the focus is on taking it back
	w.visit("/deliveries?alert=" + strings.TrimPrefix(w.alert, "/alerts/"))
	require.Contains(t, eval[string](w.tab, `document.querySelector("[data-delivery]").textContent`), "bond changed $2,000 → $3,000")
	w.soundly()
}

func judgesAHit(t *testing.T, w *walk) {
	t.Helper()
	w.visit(w.alert)
	text := w.text()
	require.Regexp(t, `(?s)booked.*bond changed: \$1,000 → \$2,000.*bond changed: \$2,000 → \$3,000`, eval[string](w.tab, `document.querySelector(".hit .happened").innerText`))
	for _, expected := range []string{"1 hit", "birth date not compared", "surname agrees", "first name agrees", evil} {
		require.Contains(t, text, expected)
	}
	require.NotRegexp(t, `(?i)\bguilty\b|undefined|\bnull\b|NaN|\[object`, text)
	w.soundly()
	w.tabTo("button[value^=confirm]")
	w.press(kb.Enter, `document.body.innerText.includes("Confirmed.")`)
	w.accessible()
	w.press(kb.Enter, `document.querySelector("button[value^=dismiss]")`) // the focus is on taking it back
	w.tabTo("button[value^=dismiss]")
	w.press(kb.Enter, `/Not them\. This alert won’t report this (person|booking) again\./.test(document.body.innerText)`)
	w.soundly()
	w.visit(w.alert)
	require.Contains(t, w.text(), "not them", "what was said is stored")
	w.tabTo("button[value^=spelling]")
	w.press(kb.Enter, `document.body.innerText.includes("Not them. This alert won’t report anyone whose name is spelled this way")`)
	w.tabTo("button[value^=undo]")
	w.press(kb.Enter, `document.querySelector("#answers").textContent.includes("1 hit without an answer")`)
	w.tabTo("button[value^=confirm]")
	w.press(kb.Enter, `document.querySelector("#answers").textContent.includes("1 of 1 confirmed (100%)")`)
}

func stopsAnAlert(t *testing.T, w *walk) {
	t.Helper()
	w.visit(w.alert)
	w.tabTo("details.edit summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.until(`/\d+ bookings? in our records/.test(document.querySelector("#year").textContent)`)
	require.Contains(t, eval[string](w.tab, `document.querySelector("#year").textContent`), "on people with a different name.")
	w.accessible()
	w.tabTo("#label")
	w.do(chromedp.KeyEvent(kb.End + " and more"))
	w.tabTo("details.edit form button")
	w.press(kb.Enter, `document.body.innerText.includes("The alert was changed")`)
	require.Contains(t, w.text(), evil+" and more")

	t.Log("whom it watches for is changed there too, and what cannot be is said at its field")
	w.tabTo("details.edit summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.write("#name", "Moonsail"+kb.Enter)
	w.until(`document.activeElement.id === "name" && document.querySelector("#problem").textContent.includes("matches everyone who has it")`)
	require.True(t, eval[bool](w.tab, `document.querySelector("#name").matches("[aria-invalid=true][aria-describedby='problem name-hint']")`))
	w.accessible()
	w.forget() // Chromium notes the status 422 of the page itself
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.write("#name", "J Smith"+kb.Enter)
	w.until(`document.activeElement.id === "name" && document.querySelector("#problem").textContent.includes("not enough at level normal")`)
	w.forget()
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.write("#name", "Moonsail")
	w.write("#born", "130"+kb.Enter)
	w.until(`document.activeElement.id === "born" && document.querySelector("#problem").textContent.includes("from 1 to 120")`)
	w.forget()
	eval[string](w.tab, `document.querySelector("#born").value = ""`)
	w.write("#born", "34"+kb.Enter)
	w.until(`document.body.innerText.includes("The alert was changed")`)
	require.Equal(t, "Moonsail", eval[string](w.tab, `document.querySelector("h1").textContent`))
	require.Contains(t, w.text(), "aged 34 on ")
	require.Equal(t, "aged 34", eval[string](w.tab, `document.querySelector("#born").value`))
	w.soundly()

	w.opens("details.confirm summary", "details.confirm[open] button:not([type=button])")
	w.press(kb.Enter, `document.body.innerText.includes("The alert is paused")`)
	w.soundly()
	w.tabTo("details.confirm summary") // what is left is to delete it
	w.do(chromedp.KeyEvent(kb.Enter))
	w.accessible()
	w.tabTo("details.confirm[open] button.danger")
	w.press(kb.Enter, `location.pathname === "/alerts"`)
	require.NotContains(t, w.text(), "Moonsail")
	w.visit("/settings/trail")
	for _, done := range []string{"alert created", "delivery sent again", "hit marked as not them", "alert paused", "alert deleted"} {
		require.Contains(t, w.text(), done)
	}
}
