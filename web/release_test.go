package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/source"
	"rollcall/web/operate"
)

// TestAReleaseOfRenumberedKeysIsChosen holds sources for different reasons and looks at what their pages offer.
func TestAReleaseOfRenumberedKeysIsChosen(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	hold := func(id, why string) (page string) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, last_attempt) values ($1, 'Moss Hill jail', 'roster', true, now())`, id)
		require.NoError(t, err)
		require.NoError(t, b.store.HoldSource(t.Context(), id, why, time.Now()))
		_, err = b.db.Pool.Exec(t.Context(), `update sources set held_run = 1 where id = $1`, id)
		require.NoError(t, err)
		return text(t, w.get("/operator/sources/"+id))
	}
	held := func(id string) (held bool) {
		t.Helper()
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select held_since is not null from sources where id = $1`, id).Scan(&held))
		return held
	}
	keep := func(id string) string { return `action="/operator/sources/` + id + `/release-renumbered"` }
	plain := func(id string) string { return `action="/operator/sources/` + id + `/release"` }
	why := "its keys were renumbered"
	b.held = &operate.HeldSnapshot{Again: 40, Complete: true}

	page := hold("anew", why)
	require.Contains(t, page, keep("anew"))
	require.Contains(t, page, "Release: the jail renumbered its list")
	require.Contains(t, page, "Release: the new keys are other people")
	require.Less(t, strings.Index(page, keep("anew")), strings.Index(page, plain("anew")), "what books nobody anew comes first")
	require.Equal(t, "/operator/sources/anew?done=renumbered", w.post("/operator/sources/anew/release-renumbered").Header.Get("Location"))
	require.Contains(t, text(t, w.get("/operator/sources/anew?done=renumbered")), "keep their bookings")
	require.True(t, held("anew"), "it is applied after a minute")
	last, err := b.store.LastRelease(t.Context(), "anew")
	require.NoError(t, err)
	require.Equal(t, []any{true, true, "ada@example.org"}, []any{last.Open(), last.Renumbered, last.Actor})
	require.Equal(t, http.StatusConflict, w.post("/operator/sources/anew/release").StatusCode, "it is released already")
	require.Equal(t, http.StatusConflict, w.post("/operator/sources/anew/discard").StatusCode)
	require.Contains(t, text(t, w.get("/settings/trail")), "source: release: the jail renumbered its list")

	hold("strangers", why)
	require.Equal(t, "/operator/sources/strangers?done=released", w.post("/operator/sources/strangers/release").Header.Get("Location"))
	last, err = b.store.LastRelease(t.Context(), "strangers")
	require.NoError(t, err)
	require.False(t, last.Renumbered)

	page = hold("wrong", why)
	require.Contains(t, page, `action="/operator/sources/wrong/discard"`)
	require.Equal(t, "/operator/sources/wrong?done=discarded", w.post("/operator/sources/wrong/discard").Header.Get("Location"))
	require.Equal(t, []any{false, operate.Discarded}, []any{held("wrong"), b.decided})
	require.Contains(t, text(t, w.get("/settings/trail")), "source: discard the held data")

	b.held = &operate.HeldSnapshot{Complete: true}
	page = hold("shrank", "it has 5 rows, the last one had 20")
	require.Contains(t, page, plain("shrank"))
	require.NotContains(t, page, keep("shrank"), "nobody stands under a new key")
	b.held = &operate.HeldSnapshot{Again: 3, Complete: true}
	page = text(t, w.get("/operator/sources/shrank"))
	require.Less(t, strings.Index(page, keep("shrank")), strings.Index(page, plain("shrank")), "its held snapshot has known people under new keys")
	require.Contains(t, page, keep("shrank"))
}

// TestAReleaseSaysWhomItAlertsAndCanBeUndone walks the way of a release on its page, which works without scripts.
func TestAReleaseSaysWhomItAlertsAndCanBeUndone(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, last_attempt) values ('jail', 'Moss Hill jail', 'roster', true, now())`)
	require.NoError(t, err)
	require.NoError(t, b.store.HoldSource(t.Context(), "jail", "it shrank", time.Now()))
	_, err = b.db.Pool.Exec(t.Context(), `update sources set held_run = 1 where id = 'jail'`)
	require.NoError(t, err)
	b.held = &operate.HeldSnapshot{Complete: true, Forecast: operate.Forecast{Alerts: 2, Events: map[models.EventKind]int{models.EventRelease: 3, models.EventBooking: 1}}}
	const jail = "/operator/sources/jail"
	page := text(t, w.get(jail))
	require.Contains(t, page, "2 alerts will fire: 1 booking, 3 releases.")
	require.Equal(t, http.StatusConflict, w.post(jail+"/release-undo").StatusCode, "nothing is to be undone")

	require.Equal(t, http.StatusSeeOther, w.post(jail+"/release").StatusCode)
	page = text(t, w.get(jail))
	require.Regexp(t, `The hold ends at <time datetime="[^"]+" data-until="(60|59|5\d)">`, page)
	require.Contains(t, page, `action="/operator/sources/jail/release-undo"`)
	require.NotContains(t, page, `action="/operator/sources/jail/release"`)
	require.NotContains(t, page, `action="/operator/sources/jail/discard"`)

	b.later(2)
	require.Contains(t, text(t, w.get(jail)), "no worker has picked it up yet")
	require.Equal(t, jail+"?done=undone", w.post(jail+"/release-undo").Header.Get("Location"))
	page = text(t, w.get(jail))
	require.Contains(t, page, `action="/operator/sources/jail/release"`)
	require.Contains(t, text(t, w.get("/settings/trail")), "source: undo the release")

	require.Equal(t, http.StatusSeeOther, w.post(jail+"/release").StatusCode, "it may be decided again")
	last, err := b.store.LastRelease(t.Context(), "jail")
	require.NoError(t, err)
	page = text(t, w.get(jail))
	require.Contains(t, page, `<p class="small quiet scripted">The result will appear here.</p>`)
	require.Regexp(t, `<noscript>\s*<p class="small quiet"><a href="/operator/sources/jail">Reload</a> to see the result`, page)
	require.NotContains(t, page, `id="release-ended"`)
	require.NoError(t, b.store.EndRelease(t.Context(), last.ID, source.ReleaseFailed, "its documents cannot be read"))
	require.Contains(t, text(t, w.get(jail)), "but the release failed: its documents cannot be read. The source stays on hold.")

	b.held.Forecast, b.held.New = operate.Forecast{}, 1
	require.Contains(t, text(t, w.get(jail)), "No alert will fire.")

	require.Equal(t, http.StatusSeeOther, w.post(jail+"/release").StatusCode)
	last, err = b.store.LastRelease(t.Context(), "jail")
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `update source_releases set started_at = now(), ended_at = now(), outcome = 'applied' where id = $1`, last.ID)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `with held as (insert into runs (source_id, state, started_at) values ('jail', 'held', now() - interval '1 hour') returning id)
 insert into runs (source_id, state, started_at, replay_of, report) select 'jail', 'ok', r.started_at, held.id, '{"new": 3, "changed": 2, "closed": 1, "quarantined": 291}' from held, source_releases r where r.id = $1`, last.ID)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `update sources set held_since = null, held_run = null where id = 'jail'`)
	require.NoError(t, err)
	page = text(t, w.get(jail))
	require.Regexp(t, `role="status">\s*The hold ended at \d+:\d\d:\d\d [AP]M, released by ada@example.org\.\s*Run \d+ applied the data:\s+3 new, 2 changed, 1 released`, page)
	require.Contains(t, page, "291 rows were refused and went to quarantine.")
	require.NotContains(t, page, "on hold again")
	_, err = b.db.Pool.Exec(t.Context(), `update sources set held_since = now(), held_run = 1, enabled = false where id = 'jail'`)
	require.NoError(t, err)
	page = text(t, w.get(jail+"?done=discarded"))
	require.Regexp(t, `291 rows were refused and went to quarantine\.\s*<b>The source went on hold again at \d`, page)
	require.Contains(t, page, "The held data was discarded, but the source is on hold again.")
	b.later(61)
	require.NotContains(t, text(t, w.get(jail)), "The hold ended at", "that is long ago")
}

// TestAHoldByHandIsComparedToo holds that a release is no leap in the dark, whoever began the hold, and that a run of which nothing was
// applied has no counts.
func TestAHoldByHandIsComparedToo(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, last_attempt) values ('jail', 'Moss Hill jail', 'roster', true, now())`)
	require.NoError(t, err)
	require.NoError(t, b.store.HoldSource(t.Context(), "jail", "an operator holds it: it looks odd", time.Now().Add(-time.Minute)))
	const jail = "/operator/sources/jail"
	page := text(t, w.get(jail))
	require.Contains(t, page, "No data has come since the hold")
	_, err = b.db.Pool.Exec(t.Context(), `update sources set enabled = false, interval_seconds = 60 where id = 'jail'`)
	require.NoError(t, err)
	require.Contains(t, text(t, w.get(jail)), "no run comes until you start it, or choose Read now once the hold has ended.")
	require.Equal(t, http.StatusSeeOther, w.post(jail+"/release").StatusCode)
	require.Contains(t, text(t, w.get(jail)), "Start it, or choose Read now once the hold has ended.")
	require.Equal(t, http.StatusSeeOther, w.post(jail+"/release-undo").StatusCode)
	_, err = b.db.Pool.Exec(t.Context(), `update sources set enabled = true where id = 'jail'`)
	require.NoError(t, err)

	var run int
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `insert into runs (source_id, state, started_at, finished_at, report)
 values ('jail', 'held', now(), now(), '{"fetched": 193, "standing": true}') returning id`).Scan(&run))
	b.held = &operate.HeldSnapshot{Run: run, Rows: 193, New: 1, Changed: 2, Closed: 3, Complete: true, Forecast: operate.Forecast{Alerts: 1, Events: map[models.EventKind]int{models.EventRelease: 1}}}
	page = text(t, w.get(jail))
	require.Equal(t, 1, strings.Count(page, "An operator holds it: it looks odd."), "the reason stands once")
	require.Regexp(t, `Run \d+ \(\d+:\d\d:\d\d [AP]M\) is the newest since the hold`, page)
	require.Regexp(t, `As of run \d+: <b>1 person booked, 2 records changed, 3 people released\. 1 alert will fire: 1 release\.</b>`, page)
	require.Regexp(t, `data-label="New" class="num"><span class="quiet"><span aria-hidden="true">–</span>`, page)

	b.held = &operate.HeldSnapshot{Run: run, Rows: 195, Complete: true}
	require.Contains(t, text(t, w.get(jail)), "The held data matches what is published: releasing it changes nothing.")

	b.held.Quarantined = 291
	page = text(t, w.get(jail))
	require.NotContains(t, page, "matches what is published")
	require.Contains(t, page, "<b>291</b><span>rows refused</span>")
	require.Contains(t, page, "0 people booked, 0 records changed, 0 people released, 291 rows refused. No alert will fire.")
}

// TestACountyOfAHeldSourceLeadsToTheSource holds that no page offers a release that would be refused.
func TestACountyOfAHeldSourceLeadsToTheSource(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, parent, title, kind, county_id, enabled, last_attempt)
 select 'state', null, 'State list', 'roster', null::smallint, true, now() union all select 'state:fulton', 'state', 'State list: Fulton', 'roster', id, true, now() from counties where slug = 'fulton'`)
	require.NoError(t, err)
	offer := `action="/operator/sources/state:fulton/release"`
	require.NoError(t, b.store.HoldSource(t.Context(), "state:fulton", "the jail moves", time.Now()))
	b.held = &operate.HeldSnapshot{Complete: true}
	byHand := text(t, w.get("/operator/sources/state:fulton"))
	require.Contains(t, byHand, offer)
	require.Contains(t, byHand, "Ends the hold. The next run applies what the source then lists")
	require.NotContains(t, byHand, "applies the held data", "an operator held it")
	require.NotContains(t, byHand, "No alert will fire")
	require.NoError(t, b.store.HoldSource(t.Context(), "state", "the vendor moves", time.Now()))
	page := text(t, w.get("/operator/sources/state:fulton"))
	require.NotContains(t, page, offer)
	require.Contains(t, page, `The whole <a href="/operator/sources/state">source of this county</a> is held.`)
}

// TestAReasonForAHoldIsKeptWholeOrRefused holds that nothing of what an operator wrote is cut off, and that it turns nothing around it.
func TestAReasonForAHoldIsKeptWholeOrRefused(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, last_attempt) values ('jail', 'Moss Hill jail', 'roster', true, now())`)
	require.NoError(t, err)
	require.Contains(t, text(t, w.post("/operator/sources/jail/hold", "why", strings.Repeat("long ", 60))), "at most 300 characters")
	require.Equal(t, "/operator/sources/jail?done=held", w.post("/operator/sources/jail/hold", "why", "it \u202elooks\nodd").Header.Get("Location"))
	src, err := b.store.Sources(t.Context())
	require.NoError(t, err)
	require.Equal(t, "an operator holds it: it looks odd", *src[0].Note)
}
