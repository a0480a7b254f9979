package walk

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Pictures of every page, for people to look at: go test ./web/walk -run Screenshots -screens DIR [-door ADDRESS].
var (
	screens = flag.String("screens", "", "directory that TestScreenshots writes pictures of every page to")
	only    = flag.String("page", "", "pattern of the names of the only pages to look at")
)

// shownPages are the pages by the name of their picture.
func shownPages(b *tab) map[string]string {
	first := func(path, prefix string) string {
		b.visit(path)
		b.until(`document.querySelector("a[href^='` + prefix + `']")`)
		return eval[string](b, `document.querySelector("a[href^='`+prefix+`']").getAttribute("href")`)
	}
	linked := eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"{ roster(limit: 200) { records { id gdcMatch { record { gdcId countyRecords { rosterId } } } } } courts(limit: 200) { records { id hearings { date } people { rosterRecord { id } correctionsRecord { gdcId } } } } }"})})
		.then(r => r.json()).then(r => { const all = r.data.roster.records.filter(x => x.gdcMatch);
			all.sort((a, b) => b.gdcMatch.record.countyRecords.length - a.gdcMatch.record.countyRecords.length);
			const links = c => (c.hearings.length ? 10 : 0) + (c.people.some(p => p.rosterRecord) ? 2 : 0) + (c.people.some(p => p.correctionsRecord) ? 1 : 0);
			const cases = r.data.courts.records.sort((a, b) => links(b) - links(a));
			return "/roster/" + all[0].id + " /corrections/" + all[0].gdcMatch.record.gdcId + " /cases/" + cases[0].id; })`)
	found := strings.Fields(linked)
	pages := map[string]string{
		"home": "/", "search": "/search?q=smi", "search-empty": "/search", "search-nothing": "/search?q=zzzzzz", "booking": found[0], "offender": found[1], "case": found[2],
		"counties": "/counties", "county": first("/counties", "/counties/"), "county-none": "/counties/echols", "keys": "/settings/keys", "usage": "/settings/usage", "members": "/settings/members",
		"trail": "/settings/trail", "you": "/settings/you", "sources": "/operator/sources", "source": first("/operator/sources", "/operator/sources/"), "missing": "/roster/nobody-2026-000001",
		"reference": "/docs", "guide": "/docs/webhooks", "jobs": "/operator/jobs?state=done", "jobs-failed": "/operator/jobs", "review": "/operator/review",
		"status": "/status", "incidents": "/operator/incidents", "removals": "/operator/photographs",
		"person": "/people/" + strings.TrimPrefix(found[0], "/roster/"), "people": "/people?name=smith", "people-reported": "/operator/people",
	}
	pages["source-document"], pages["source-quarantine"] = pages["source"]+"/document", pages["source"]+"/quarantine"
	maps.Copy(pages, map[string]string{
		"search-table": "/search?q=smi&view=table", "search-people": "/search?q=smi&view=person", "search-filtered": "/search?charge=theft&severity=MISDEMEANOR&bond_from=100",
		"search-alert": "/search/alert?q=smith,+john&severity=FELONY", "alert-import": "/alerts/import", "bin": "/settings/webhooks/bin", "notify": "/settings/notify", "merges": "/operator/merges",
		"reference-family": first("/docs", "/docs/v1/"), "reference-found": "/docs?q=bond", "clients": "/docs/clients", "graphql": "/docs/graphql", "samples": "/docs/samples",
	})
	maps.Copy(pages, alertPages(b))
	return pages
}

func TestScreenshots(t *testing.T) {
	t.Parallel()
	if *screens == "" {
		t.Skip("no -screens DIR: no pictures are taken")
	}
	root, path, stop := demoDoor(t)
	defer stop()
	b := newTab(t, root)
	b.visit("/sign-in")
	b.photographed("signin")
	entersWithAlerts(b, path)
	pages := shownPages(b)
	pages["playground"] = "/graphql" // which is too heavy for what the others have to be
	for _, look := range looks {
		b.look(look.width, look.scheme)
		for name, path := range pages {
			if *only == "" || regexp.MustCompile(*only).MatchString(name) {
				b.visit(path)
				b.picture(name + "-" + look.name)
			}
		}
	}
	b.look(720, "light") // about the width of a sheet
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	for _, name := range []string{"booking", "case", "offender", "county", "alert", "usage"} {
		if *only == "" || regexp.MustCompile(*only).MatchString(name) {
			b.visit(pages[name])
			b.picture(name + "-paper")
		}
	}
}

// looks are how pages are looked at.
var looks = []struct {
	name, scheme string
	width        int64
}{{"light", "light", 1280}, {"dark", "dark", 1280}, {"phone", "light", 360}, {"phone-dark", "dark", 360}}

// photographed writes pictures of the page as it is, in every look, when -screens asks for them.
func (b *tab) photographed(name string) {
	b.t.Helper()
	if *screens == "" {
		return
	}
	for _, look := range looks {
		b.look(look.width, look.scheme)
		b.picture(name + "-" + look.name)
	}
	b.look(1280, "light")
}

// picture writes what the page looks like now.
func (b *tab) picture(name string) {
	b.t.Helper()
	picture, err := within(b.ctx, photograph(b))
	require.NoError(b.t, err)
	require.NoError(b.t, os.WriteFile(filepath.Join(*screens, name+".png"), picture, 0o600))
}

// photograph takes the whole page; of one that no picture can hold, what a reader sees first.
func photograph(b *tab) chromedp.Action[[]byte] {
	if eval[int](b, "document.documentElement.scrollHeight") < 6000 {
		return chromedp.FullScreenshot(100)
	}
	b.do(chromedp.EmulateViewport(eval[int64](b, "innerWidth"), 1600))
	return chromedp.CaptureScreenshot()
}
