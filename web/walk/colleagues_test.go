package walk

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// TestWhatColleaguesDoAppearsByItself reads the inbox and the page of an alert while a colleague in another browser answers
// hits: nothing is reloaded, and nothing that the reader is about to press moves.
func TestWhatColleaguesDoAppearsByItself(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	x.OK("ingest", "--source", "common-csv", "--file",
		cmdtest.Snapshot(t, t.TempDir(), []string{"MOONSAIL, WREN", "MOONSAIL, WREN A", "MOONSAIL, WREN B", "MOONSAIL, WREN C"}, time.Now().Add(-time.Hour), time.Now(), 1000))
	b := newTab(t, root)
	b.joins(door)
	post := func(on *tab, query string) string {
		return eval[string](on, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query: `+quoted(query)+`})}).then(r => r.text())`)
	}
	require.Contains(t, post(b, `mutation { createAlert(input: {name: "Wren Moonsail"}) { id } }`), "alrt_")
	db, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	var alert string
	require.NoError(t, db.QueryRow(t.Context(), `with made as (insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || row_number() over (order by b.name), w.account_id, w.id, b.rid, 0.97, '{"surname agrees"}', now() - row_number() over (order by b.name) * interval '1 minute' from bookings b, watchers w)
select id from watchers`).Scan(&alert))
	colleague := newTab(t, root)
	colleague.joins(x.Invited(x.FirstAccount(), "bea@example.org", "--role", "member"))

	t.Log("while nobody is in the list, it is drawn anew")
	b.visit("/inbox")
	eval[bool](b, `(window.same = true)`)
	b.until(`document.querySelectorAll("[data-hit]").length === 4`)
	require.Contains(t, post(colleague, `mutation { giveFeedback(hitId: "hit_1", verdict: CONFIRM) { id } }`), "hit_1")
	b.until(`document.querySelectorAll("[data-hit]").length === 3 && !document.querySelector("[data-hit=hit_1]")`)

	t.Log("while the keyboard is in it, it stays, and says what was done")
	const place = `JSON.stringify(document.querySelector("[data-hit=hit_4] button[value^=confirm]").getBoundingClientRect())`
	eval[bool](b, `document.querySelector("[data-hit=hit_4] button[value^=confirm]").focus({preventScroll: true}) || true`)
	was := eval[string](b, place)
	require.Contains(t, post(colleague, `mutation { assignHit(hitId: "hit_2", assignee: "bea@example.org") { id } }`), "hit_2")
	b.until(`document.querySelector("[data-hit=hit_2] .meanwhile")?.textContent === "Assigned to bea@example.org, by bea@example.org"`)
	require.Contains(t, post(colleague, `mutation { giveFeedback(hitId: "hit_3", verdict: DISMISS) { id } }`), "hit_3")
	b.until(`document.querySelector("[data-hit=hit_3] .meanwhile")?.textContent === "Not them, by bea@example.org"`)
	require.Equal(t, was, eval[string](b, place), "what has the keyboard has not moved")
	require.Equal(t, "hit_4", eval[string](b, `document.activeElement.closest("[data-hit]").dataset.hit`))
	b.accessible()
	eval[bool](b, `document.activeElement.blur() || true`)
	b.until(`document.querySelectorAll("[data-hit]").length === 1 && !document.querySelector("#changed button")`)
	require.True(t, eval[bool](b, `window.same`), "the page was not loaded again")

	t.Log("the page of the alert follows too, and keeps who changed it")
	b.visit("/alerts/" + alert)
	eval[bool](b, `(window.same = true)`)
	b.until(`document.querySelectorAll("[data-hit]").length === 4`)
	require.Contains(t, b.text(), "Nothing was changed since it was created.")
	require.Contains(t, post(colleague, `mutation { giveFeedback(hitId: "hit_4", verdict: CONFIRM) { id } }`), "hit_4")
	b.until(`document.querySelector("[data-hit=hit_4] .chip.good")?.textContent === "confirmed" && document.querySelector("#answers").textContent.startsWith("2 of 3 confirmed (67%)")`)
	eval[bool](b, `document.querySelector("[data-hit=hit_2] button[value^=confirm]").focus({preventScroll: true}) || true`)
	require.Contains(t, post(colleague, `mutation { giveFeedback(hitId: "hit_4", verdict: UNSURE) { id } }`), "hit_4")
	b.until(`document.querySelector("[data-hit=hit_4] .meanwhile")?.textContent.startsWith("Now read") || document.querySelector("[data-hit=hit_4] .meanwhile")?.textContent.startsWith("Now unread")`)
	require.Equal(t, "hit_2", eval[string](b, `document.activeElement.closest("[data-hit]").dataset.hit`))
	eval[bool](b, `document.activeElement.blur() || true`)
	b.until(`!document.querySelector(".meanwhile") && !document.querySelector("[data-hit=hit_4] .chip.good")`)
	require.True(t, eval[bool](b, `window.same`), "the page was not loaded again")
	require.Contains(t, post(colleague, `mutation { updateAlert(id: "`+alert+`", input: {label: "court", level: WIDE}) { id } }`), alert)
	b.visit("/alerts/" + alert)
	b.until(`document.querySelector(".history")?.textContent.includes("bea@example.org")`)
	for width, scheme := range map[int64]string{1280: "light", 360: "dark"} {
		b.look(width, scheme)
		b.accessible()
		b.fits()
	}
	b.photographed("alert-history")
	b.clean()
}
