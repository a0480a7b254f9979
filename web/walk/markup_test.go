package walk

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// markup is what a jail, a clerk or a customer may write into any field. Run as markup it would be heard by tab.clean.
const markup = `<img src=x onerror=alert(1)>`

// markedSite is the service over records whose every field holds markup, which came through the ordinary ingest.
func markedSite(t *testing.T) (x *cmdtest.Terminal, root, door string) {
	t.Helper()
	x = newTerminal(t)
	at := func(name string) string { return filepath.Join("testdata", "markup", name) }
	x.OK("ingest", "--source", "common-csv", "--file", at("jail_2026-01-05_06-30-00.csv"))
	x.Run("ingest", "--source", "court-delta", "--file", at("delta_20260105_063000.txt")) // its record ends in what is not one
	x.OK("ingest", "--source", at("corrections.yaml"), "--file", at("corrections.csv"), "--at", "2026-01-05T12:00:00Z")
	x.OK("link", "run")
	x.OK("sources", "hold", "common-csv", "--note", "the county says "+markup)

	root, door = x.Serve("Desk " + markup)
	return x, root, door
}

func TestMarkupInRecordsIsTextOnEveryPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	_, root, door := markedSite(t)
	b := newTab(t, root)
	b.joins(door)

	ids := strings.Fields(eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"{ roster { records { id } } courts { records { id } } corrections { records { gdcId } } }"})}).then(r => r.json())
		.then(({data: d}) => [d.roster.records[0].id, d.courts.records[0].id, d.corrections.records[0].gdcId].join(" "))`))
	require.Len(t, ids, 3)
	for path, fields := range map[string][]string{
		"/search?q=marlowe":                        {markup + ", MARLOWE"},
		"/search?q=%3Cimg+src":                     {},
		"/roster/" + ids[0]:                        {markup + ", MARLOWE", "BATTERY " + markup, "Felony " + markup, "AWAITING " + markup},
		"/cases/" + ids[1]:                         {markup, "THEFT " + markup, "ROOM " + markup, "HON. " + markup, "PLEA " + markup, "2026-CR/1 " + markup},
		"/corrections/" + ids[2]:                   {markup + ", MARLOWE", "PRISON " + markup, "Markup corrections " + markup},
		"/counties/clarke":                         {"held for a check"},
		"/operator/sources":                        {"the county says " + markup, "Markup corrections " + markup},
		"/operator/sources/common-csv":             {"the county says " + markup},
		"/operator/sources/court-delta/quarantine": {},
		"/settings/keys":                           {"Desk " + markup},
		"/settings/trail":                          {},
	} {
		b.visit(path)
		eval[bool](b, `document.querySelectorAll("details:has(table)").forEach((d) => { d.open = true; }) || true`)
		text := b.text()
		for _, field := range fields {
			require.Contains(t, strings.ToLower(text), strings.ToLower(field), path)
		}
		require.Zero(t, eval[int](b, `document.querySelectorAll("img, [onerror], main a[href^='javascript:']").length`), path)
	}

	t.Log("what turns a text around is not taken from sources")
	b.visit("/search?q=marlowe")
	require.Contains(t, strings.ToLower(b.text()), strings.ToLower("PRISON "+markup))
	require.NotContains(t, b.text(), "\u202e")

	t.Log("a quarantined row that an operator opens is text, and can be read again")
	b.visit("/operator/sources/court-delta/quarantine")
	b.submit("form[action$='/quarantine'] button")
	require.Contains(t, b.text(), "MG-26-10 "+markup)
	require.Zero(t, eval[int](b, `document.querySelectorAll("img").length`))
	b.accessible()
	b.photographed("quarantine")
	b.submit("form[action$='/replay'] button")
	require.Regexp(t, `(?s)Retry finished.*1\s+run.*1\s+rows still wait`, b.text())
	b.accessible()
	b.clean()
}

func TestSearchMarksPartsOfNamesThatLookLikeMarkup(t *testing.T) {
	t.Parallel()
	chromium(t)
	_, root, door := markedSite(t)
	b := newTab(t, root)
	b.joins(door)
	b.visit("/search")
	b.do(chromedp.KeyEvent("img onerror"))
	b.until(`document.querySelectorAll("[data-result]").length > 1`)
	require.Equal(t, "img", eval[string](b, `document.querySelector(".result mark").textContent`))
	require.Zero(t, eval[int](b, `document.querySelectorAll("img").length`))
	b.clean()
	require.Equal(t, http.StatusOK, eval[int](b, `fetch(location.href).then(r => r.status)`))
}

func TestMarkupInAlertsAndDeliveriesIsText(t *testing.T) {
	t.Parallel()
	chromium(t)
	_, root, door := markedSite(t)
	b := newTab(t, root)
	b.joins(door)
	var made struct{ CreateAlert struct{ ID string } }
	b.ask(`mutation { createAlert(input: {name: "Ann `+markup+`", label: "`+markup+`", note: "`+markup+`"}) { id } }`, &made)
	b.visit("/settings/webhooks")
	b.do(chromedp.SendKeys(chromedp.CSS("#url"), "https://hooks.example.org/"+evilPath))
	b.submit("form.fields button")
	hook, _, _ := strings.Cut(b.path(), "?")
	b.submit("form[action$='/test'] button") // nothing sends it here: it waits
	delivery := b.path()
	require.Contains(t, delivery, "/deliveries/dlv_")
	for path, atLeast := range map[string]int{
		"/alerts": 2, "/alerts/" + made.CreateAlert.ID: 3, "/alerts/new?name=%3Cimg+src%3Dx+onerror%3Dalert(1)%3E": 0, "/activity": 0,
		"/deliveries": 0, delivery: 0, hook: 0, "/settings/webhooks": 0, "/settings/trail": 1,
	} {
		b.visit(path)
		require.GreaterOrEqual(t, strings.Count(strings.ReplaceAll(b.text(), "\n", " "), markup), atLeast, path)
		require.Zero(t, eval[int](b, `document.querySelectorAll("img, [onerror], main a[href^='javascript:']").length`), path)
		b.fits()
	}
	for _, path := range []string{delivery, hook, "/settings/webhooks"} {
		b.visit(path)
		require.Contains(t, b.text(), evilPath, path)
	}
	b.clean()
}
