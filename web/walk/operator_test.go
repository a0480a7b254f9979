package walk

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/bench/roster"
)

func operates(t *testing.T, b *tab) {
	t.Helper()
	source := shownPages(b)["source"]
	b.visit(source)
	b.look(360, "light")
	require.Less(t, eval[float64](b, `document.querySelector(".actions").getBoundingClientRect().bottom`), eval[float64](b, `document.querySelector("[aria-labelledby=runs]").getBoundingClientRect().top`), "what can be done comes before the runs")
	b.look(1280, "light")
	require.LessOrEqual(t, eval[float64](b, `document.querySelector(".runs tbody time").getClientRects().length`), 1.0, "a date stands on one line")
	const run = `.querySelector(".runs tbody th .quiet").textContent.split(" ")[0]`
	newest := eval[string](b, "document"+run)
	for { // the schedule may be reading it
		b.submit(".actions form[action$='/read'] button")
		if !strings.Contains(b.text(), "The source is being read at this moment") {
			break
		}
		require.Equal(t, source, b.path(), "which the source's page says")
		b.forgive("status of 409")
	}
	require.Contains(t, b.text(), "The source will be read as soon as a worker is free")
	b.until(`(window.asking ||= fetch(location.pathname).then(r => r.text()).then(page => {
		window.newest = new DOMParser().parseFromString(page, "text/html")` + run + `;
		window.asking = null;
	})) && window.newest && window.newest !== ` + quoted(newest)) // it runs, or has run
	b.visit(source)
	b.click(".actions details:has([action$='/hold']) summary")
	b.accessible()
	b.submit(".actions details[open] form[action$='/hold'] button")
	require.Contains(t, b.text(), "The source is on hold")
	require.Contains(t, b.text(), "Held since")
	b.accessible()
	b.click("section[aria-labelledby=held] details.confirm summary")
	b.submit("section[aria-labelledby=held] details[open] button.danger")
	require.Contains(t, b.text(), "The source will be released in a minute")
	b.until(`/^(5\d|4\d) seconds$/.test(document.querySelector("[data-left]").textContent)`) // it is counted down
	b.accessible()

	b.visit(source + "/quarantine")
	b.accessible()
	b.visit("/operator/jobs?state=done")
	require.Contains(t, b.text(), "feed")
	require.NotContains(t, b.text(), "No jobs yet")
	b.visit("/operator/jobs?state=waiting")
	b.accessible()
	b.visit("/settings/trail")
	require.Contains(t, b.text(), "source: hold")
	require.Contains(t, b.text(), "source: release the source")
	require.Contains(t, b.text(), "source: read now")
}

func TestAnOperatorReleasesAHeldSnapshotAndRunsAJobInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	x.OK("sources", "enable", write("my-county.yaml", fmt.Sprintf(roster.Document, "my-county")))
	x.OK("ingest", "--source", "my-county", "--file", write("roster.csv", string(roster.Rows("Fulton", 0, 20, 0, 0))), "--at", "2026-03-01T12:00:00Z")
	code, _ := x.Run("ingest", "--source", "my-county", "--file", write("roster.csv", strings.Replace(string(roster.Rows("Fulton", 0, 5, 2, 100)), "#end", `Fulton,R900,"ZEPHYR, <img src=x onerror=alert(1)>",1990-01-02,2026-03-01 10:00,THEFT,$100.00`+"\n#end", 1)), "--at", "2026-03-02T12:00:00Z")
	require.Equal(t, 1, code, "it shrank, and is held")
	db, err := pgx.Connect(t.Context(), x.URL)
	require.NoError(t, err)
	var job int
	require.NoError(t, db.QueryRow(t.Context(), `insert into river_job (args, kind, max_attempts, queue, state, attempt, errors, scheduled_at)
 values ('{"source": "my-county"}', 'feed', 25, 'feeds', 'retryable', 2, array['{"error": "<img src=x onerror=alert(1)>"}']::jsonb[], now() + '1 hour') returning id`).Scan(&job))

	root, door := x.Serve("Desk")
	b := newTab(t, root)
	b.joins(door)
	b.visit("/operator/sources/my-county")
	require.Regexp(t, `(?s)Counties.*Fulton County.*held`, b.text(), "its rows name their county, which is held by itself")
	b.soundly()
	b.photographed("source-counties")
	b.visit("/operator/sources/my-county:fulton")
	require.Regexp(t, `(?s)What a release would change.*15\s+released or hidden`, b.text())
	const rows = `[...document.querySelectorAll("section[aria-labelledby=held] details.data:nth-of-type(%d) tbody tr")].map(e => e.textContent)`
	b.click("section[aria-labelledby=held] details.data summary")
	require.Len(t, eval[[]string](b, fmt.Sprintf(rows, 1)), 15, "who would be released")
	eval[bool](b, `document.querySelectorAll("section[aria-labelledby=held] details.data").forEach(d => { d.open = true; }) || true`)
	fresh, altered := eval[[]string](b, fmt.Sprintf(rows, 2)), eval[[]string](b, fmt.Sprintf(rows, 3))
	require.Len(t, fresh, 1)
	require.Contains(t, fresh[0], "ZEPHYR, <img src=x onerror=alert(1)>")
	require.Len(t, altered, 2)
	require.Contains(t, altered[0], "Bond: $500 → $600", "from what to what")
	require.Contains(t, b.text(), "Changed (2 records)")
	b.soundly()
	b.photographed("source-held")

	t.Log("released and undone, it stays held; applied, it is released")
	require.Contains(t, b.text(), "No alert will fire.")
	b.click("section[aria-labelledby=held] details.confirm summary")
	b.submit("section[aria-labelledby=held] details.confirm[open] button.danger")
	require.Contains(t, b.text(), "The hold ends at")
	b.soundly()
	b.photographed("source-releasing")
	b.submit("#pending-release button")
	require.Contains(t, b.text(), "The release was undone")
	x.OK("sources", "release", "my-county", "--county", "fulton")
	b.visit("/operator/sources/my-county:fulton")
	var free int
	require.NoError(t, db.QueryRow(t.Context(), `select count(*) from bookings where status = 'released'`).Scan(&free))
	require.Equal(t, 15, free)
	b.soundly()

	t.Log("a job that failed runs now")
	b.visit("/operator/jobs")
	require.Contains(t, b.text(), "<img src=x onerror=alert(1)>")
	b.soundly()
	b.photographed("jobs-one-failed")
	b.submit(fmt.Sprintf("form[action='/operator/jobs/%d/retry'] button", job))
	require.Contains(t, b.text(), "The job will run as soon as a worker is free")
	require.Contains(t, b.text(), "Failed (0)")
	var state string
	require.NoError(t, db.QueryRow(t.Context(), `select state from river_job where id = $1`, job).Scan(&state))
	require.Equal(t, "available", state)
	require.NoError(t, db.Close(t.Context()))
	b.clean()
}
