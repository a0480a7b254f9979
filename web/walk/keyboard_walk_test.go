package walk

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestEverythingIsDoneByKeyboardAlone goes through what other walks do with a mouse: no step of it is a click.
func TestEverythingIsDoneByKeyboardAlone(t *testing.T) {
	t.Parallel()
	chromium(t)
	_, root, door := markedSite(t)
	b := newTab(t, root)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *tab, string)
	}{
		{"an invitation is accepted, and its reader signs out and in", entersByKeyboard},
		{"a key is made, regenerated, revoked", keysByKeyboard},
		{"a member is invited, and the invitation revoked", membersByKeyboard},
		{"an endpoint is paused and resumed", pausesByKeyboard},
		{"a release of a source is undone, and its quarantine read again", operatesByKeyboard},
		{"a calendar's address is made and ended", calendarByKeyboard},
		{"the reference sends an operation", triesByKeyboard},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			b.t = t
			step.run(t, b, door)
			b.clean()
		}) {
			break
		}
	}
}

func entersByKeyboard(t *testing.T, b *tab, door string) {
	t.Helper()
	b.visit(door)
	b.reached()
	b.tabTo("#password")
	b.do(chromedp.KeyEvent(readerPassword))
	b.tabTo("#again")
	b.do(chromedp.KeyEvent(readerPassword))
	b.enters(kb.Enter)
	require.Equal(t, "/", b.path())

	b.opens("button.account", "form[action='/sign-out'] button")
	b.enters(kb.Enter)
	require.Contains(t, b.path(), "/sign-in")
	_, err := chromedp.Call(b.ctx, network.ClearBrowserCookies, cdp.Empty{})
	require.NoError(t, err)
	b.visit("/sign-in?next=/settings/keys")
	b.reached()
	b.tabTo("#email")
	b.do(chromedp.KeyEvent("ada@example.org"))
	b.tabTo("#password")
	b.do(chromedp.KeyEvent(readerPassword))
	b.tabTo("main form button")
	b.enters(" ")
	require.Equal(t, "/settings/keys", b.path())
}

func keysByKeyboard(t *testing.T, b *tab, _ string) {
	t.Helper()
	b.visit("/settings/keys")
	b.tabTo("#label")
	b.do(chromedp.KeyEvent("production"))
	b.enters(kb.Enter)
	first := eval[string](b, `document.querySelector("#secret").textContent`)
	require.Equal(t, http.StatusOK, status(t, b.root+"/v1/counties", first))
	b.reached()

	b.opens(".list details:first-of-type summary", "details[open] select")
	b.do(chromedp.KeyEvent(kb.End)) // not at all
	b.tabTo("details[open] button.primary")
	b.enters(kb.Enter)
	second := eval[string](b, `document.querySelector("#secret").textContent`)
	require.Equal(t, http.StatusUnauthorized, status(t, b.root+"/v1/counties", first))
	require.Equal(t, http.StatusOK, status(t, b.root+"/v1/counties", second))

	b.opens(".list details:last-of-type summary", "details[open] button.danger")
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("details.confirm[open]") && document.activeElement.matches("summary")`)
	b.opens(".list details:last-of-type summary", "details[open] button.danger")
	b.enters(" ")
	require.Contains(t, b.text(), "was revoked")
	require.Equal(t, http.StatusUnauthorized, status(t, b.root+"/v1/counties", second))
}

func membersByKeyboard(t *testing.T, b *tab, _ string) {
	t.Helper()
	b.visit("/settings/members")
	b.tabTo("#email")
	b.do(chromedp.KeyEvent("bob@example.org"))
	b.tabTo("#role")
	b.do(chromedp.KeyEvent("o")) // owner
	b.tabTo("form[action='/settings/members'] button")
	b.enters(kb.Enter)
	require.Contains(t, eval[string](b, `document.querySelector("#secret").textContent`), "/invitation/")
	require.Contains(t, eval[string](b, `document.querySelector("[aria-labelledby=open]").innerText`), "owner")
	b.opens("[aria-labelledby=open] details summary", "form[action$='/take-back'] button.danger")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "The invitation was revoked")
}

func pausesByKeyboard(t *testing.T, b *tab, _ string) {
	t.Helper()
	b.visit("/settings/webhooks")
	b.tabTo("#url")
	b.do(chromedp.KeyEvent("https://hooks.example.org/desk"))
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "The endpoint was added")
	b.opens("details.confirm:has([action$='/pause']) summary", "[action$='/pause'] button:not([type=button])")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "Nothing is sent to it until you resume it")
	b.tabTo("[action$='/resume'] button")
	b.enters(" ")
	require.Contains(t, b.text(), "The endpoint was resumed")
}

func operatesByKeyboard(t *testing.T, b *tab, _ string) {
	t.Helper()
	b.visit("/operator/sources/common-csv")
	b.opens("section[aria-labelledby=held] details.confirm summary", "section[aria-labelledby=held] details[open] button.danger")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "The source will be released in a minute")
	b.tabTo("#pending-release button")
	b.enters(" ")
	require.Contains(t, b.text(), "The release was undone")

	b.visit("/operator/sources/court-delta/quarantine")
	b.tabTo("form[action$='/quarantine'] button")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "MG-26-10")
	b.tabTo("form[action$='/replay'] button")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "Retry finished")
}

func calendarByKeyboard(t *testing.T, b *tab, _ string) {
	t.Helper()
	var found struct {
		Courts struct{ Records []struct{ ID string } }
	}
	b.ask(`{ courts { records { id } } }`, &found)
	b.visit("/cases/" + found.Courts.Records[0].ID)
	b.opens("#calendar > summary", "#calendar[open] .bar button")
	require.Equal(t, "Create address", eval[string](b, `document.activeElement.textContent`))
	b.enters(kb.Enter)
	address, err := url.Parse(eval[string](b, `document.querySelector(".secret code").textContent`))
	require.NoError(t, err)
	calendar := "fetch(" + quoted(address.Path) + ", {cache: 'reload'})"
	require.Contains(t, eval[string](b, calendar+".then(r => r.text())"), "BEGIN:VEVENT")
	require.Contains(t, eval[string](b, `document.activeElement.textContent`), "Copy", "the focus is on what comes next")
	for range 20 {
		if eval[string](b, `document.activeElement.textContent`) == "End this address" {
			break
		}
		b.do(chromedp.KeyEvent(kb.Tab))
	}
	b.enters(" ")
	require.Zero(t, eval[int](b, `[...document.querySelectorAll("button")].filter(x => x.textContent === "End this address").length`))
	require.GreaterOrEqual(t, eval[int](b, calendar+".then(r => r.status)"), 400)
	require.NotEqual(t, "BODY", eval[string](b, `document.activeElement.tagName`), "the focus is not lost with the button")
	b.forget() // Chromium notes the refusal that was asked for
}

func triesByKeyboard(t *testing.T, b *tab, _ string) {
	t.Helper()
	b.visit("/settings/keys")
	b.tabTo("#label")
	b.do(chromedp.KeyEvent("reference"))
	b.enters(kb.Enter)
	b.visit("/docs/v1/service")
	b.tabTo(".contents a[href='#listCounties']")
	b.do(chromedp.KeyEvent(kb.Enter)) // the next stop is within the operation
	b.tabTo("#listCounties .try button")
	b.do(chromedp.KeyEvent(kb.Enter))
	b.tabTo("#listCounties .try button.primary")
	b.press(" ", `document.querySelector("#listCounties .answer .chip.good")`)
	require.Contains(t, eval[string](b, `document.querySelector("#listCounties .answer").textContent`), "200 OK")
}
