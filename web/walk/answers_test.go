package walk

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// TestTheHitRateOfAnAlertInABrowser reads what the page of an alert says of its answers: without a hit, with open ones, and
// with some that were confirmed or dismissed.
func TestTheHitRateOfAnAlertInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	x.OK("ingest", "--source", "common-csv", "--file",
		cmdtest.Snapshot(t, t.TempDir(), []string{"MOONSAIL, WREN", "MOONSAIL, WREN A", "MOONSAIL, WREN B"}, time.Now().Add(-time.Hour), time.Now(), 1000))
	b := newTab(t, root)
	b.joins(door)
	id := eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"mutation { createAlert(input: {name: \"Wren Moonsail\"}) { id } }"})}).then(r => r.json()).then(r => r.data.createAlert.id)`)
	const rate = `document.querySelector("#answers")?.textContent`
	shows := func(want string) {
		t.Helper()
		b.until(rate + ` === ` + quoted(want))
	}
	b.visit("/alerts/" + id)
	shows("no hit yet")

	db, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	_, err = db.Exec(t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || b.rid, w.account_id, w.id, b.rid, 0.97, '{"surname agrees"}', now() from bookings b, watchers w`)
	require.NoError(t, err)
	b.visit("/alerts/" + id)
	shows("3 hits without an answer")
	says := func(verdict, want string) {
		t.Helper()
		b.until(`document.querySelector("button[value^=` + verdict + `]")`)
		eval[bool](b, `document.querySelector("button[value^=`+verdict+`]").click() || true`)
		shows(want)
	}
	says("dismiss", "0 of 1 confirmed (0%); 2 hits without an answer")
	says("confirm", "1 of 2 confirmed (50%); 1 hit without an answer")
	says("dismiss", "1 of 3 confirmed (33%)")
	b.visit("/alerts/" + id)
	shows("1 of 3 confirmed (33%)")
	says("undo", "1 of 2 confirmed (50%); 1 hit without an answer")
	b.clean()
}

// TestMoreMatchesAreShownBelowTheFirst follows “Show more” of an alert without leaving its page, and answers what it brought.
func TestMoreMatchesAreShownBelowTheFirst(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	var names []string
	for i := range 30 {
		names = append(names, "MOONSAIL, WREN "+string(rune('A'+i%26))+string(rune('A'+i/26)))
	}
	x.OK("ingest", "--source", "common-csv", "--file", cmdtest.Snapshot(t, t.TempDir(), names, time.Now().Add(-time.Hour), time.Now(), 1000))
	b := newTab(t, root)
	b.joins(door)
	id := eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"mutation { createAlert(input: {name: \"Wren Moonsail\"}) { id } }"})}).then(r => r.json()).then(r => r.data.createAlert.id)`)
	db, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	_, err = db.Exec(t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || b.rid, w.account_id, w.id, b.rid, 0.97, '{"surname agrees"}', now() from bookings b, watchers w`)
	require.NoError(t, err)
	const hits = `document.querySelectorAll("[data-hit]").length`
	b.visit("/alerts/" + id)
	require.Equal(t, 25, eval[int](b, hits))
	b.click("a[data-more]")
	b.until(hits + ` === 30 && !document.querySelector("a[data-more]")`)
	require.Equal(t, "/alerts/"+id, b.path(), "the page was not left")
	require.True(t, eval[bool](b, `document.activeElement === document.querySelectorAll("[data-hit]")[25].querySelector("a")`), "the keyboard goes on behind the first ones")
	eval[bool](b, `document.querySelector("li:last-child button[value^=confirm]").click() || true`)
	b.until(`document.querySelector("li:last-child [data-hit] .chip.good")?.textContent === "confirmed"`)
	require.Equal(t, 30, eval[int](b, hits), "the others stay")
	require.True(t, eval[bool](b, `document.activeElement.closest("li").matches("li:last-child")`))
	b.accessible()
	b.clean()
}
