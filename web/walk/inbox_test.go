package walk

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
)

// TestTheInboxIsWorkedByKeys answers hits with the keyboard alone, while a colleague in another browser answers one of them.
func TestTheInboxIsWorkedByKeys(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	x.OK("ingest", "--source", "common-csv", "--file",
		cmdtest.Snapshot(t, t.TempDir(), []string{"MOONSAIL, WREN", "MOONSAIL, WREN A", "MOONSAIL, WREN B", "MOONSAIL, WREN C"}, time.Now().Add(-time.Hour), time.Now(), 1000))
	b := newTab(t, root)
	b.joins(door)
	b.visit("/inbox")
	require.Contains(t, b.text(), "No unread hits")
	b.accessible()
	eval[string](b, `fetch("/graphql", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({query:
		"mutation { createAlert(input: {name: \"Wren Moonsail\"}) { id } }"})}).then(r => r.text())`)
	db, err := pgxpool.New(t.Context(), x.URL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	_, err = db.Exec(t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
select 'hit_' || row_number() over (order by b.name), w.account_id, w.id, b.rid, 0.97, '{"surname agrees"}', now() - row_number() over (order by b.name) * interval '1 minute' from bookings b, watchers w`)
	require.NoError(t, err)

	b.visit("/inbox")
	const row = `document.activeElement.closest("[data-hit]")?.dataset.hit`
	on := func(hit string) {
		t.Helper()
		b.until(row + ` === "` + hit + `"`)
	}
	press := func(keys string) {
		t.Helper()
		b.do(chromedp.KeyEvent(keys))
	}
	unread := func(n string) {
		t.Helper()
		b.until(`(document.querySelector("#nav-inbox .unread")?.textContent || "") === "` + n + `"`)
	}
	unread("4 unread")
	for width, scheme := range map[int64]string{1280: "light", 360: "dark"} {
		b.look(width, scheme)
		b.accessible()
		require.LessOrEqual(t, eval[int](b, "document.documentElement.scrollWidth"), int(width))
	}
	b.look(1280, "light")
	press("j")
	on("hit_1")
	press("j")
	on("hit_2")
	press("k")
	on("hit_1")
	press("c")
	unread("3 unread")
	on("hit_2")
	b.until(`document.querySelector("#said").textContent === "Confirmed: Moonsail, Wren. The alert goes on as before."`)
	press("z")
	unread("4 unread")
	on("hit_1")
	press("z")
	b.until(`document.querySelector("#done").textContent === "There is nothing to undo."`)
	press("u")
	b.until(`document.querySelector("#done")?.textContent.trim().startsWith("Marked as read: Moonsail, Wren")`)
	unread("3 unread")

	t.Log("a colleague answers the hit that this reader sees: nothing is overwritten, and the page says who did it")
	colleague := newTab(t, root)
	colleague.joins(x.Invited(x.FirstAccount(), "bea@example.org", "--role", "member"))
	colleague.visit("/inbox")
	colleague.do(chromedp.KeyEvent("j"))
	colleague.do(chromedp.KeyEvent("a"))
	colleague.until(`document.querySelector("#done")?.textContent.trim().startsWith("Assigned to bea@example.org: ")`)
	taken := eval[string](b, row)
	require.Equal(t, "hit_2", taken)
	press("d")
	b.until(`document.querySelector("#problem")?.textContent.includes("Bea@example.org changed this hit on")`)
	require.Contains(t, b.text(), "it is assigned to bea@example.org now. Your change was not made.")
	unread("2 unread")

	t.Log("the keys are listed, and can be switched off")
	press("?")
	b.until(`document.querySelector("#keys").open`)
	b.accessible()
	b.click("#keys-on")
	press(kb.Escape)
	b.until(`!document.querySelector("#keys").open`)
	eval[bool](b, `document.activeElement.blur() || true`)
	press("j")
	require.Empty(t, eval[string](b, row+` || ""`))
	b.forgive("409") // of the answer that came too late
	b.clean()
}
