package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestOperatorsSeeAndRunJobs(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	var id string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `insert into river_job (args, kind, max_attempts, queue, state, attempt, errors, scheduled_at)
 values ('{"source": "fulton"}', 'feed', 25, 'feeds', 'retryable', 2, array['{"error": "first"}', '{"error": "<b>the jail hung up</b>"}']::jsonb[], now() + '1 hour') returning id::text`).Scan(&id))
	w := b.as("ada@example.org")
	page := text(t, w.get("/operator/jobs"))
	for _, part := range []string{"feeds", "attempt 2 of 25", "&lt;b&gt;the jail hung up&lt;/b&gt;", "Failed (1)", "is tried again", "/operator/jobs/" + id + "/retry"} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "first", "only the last error is shown")
	require.Contains(t, text(t, w.get("/operator/jobs?state=running")), "No jobs")
	require.Equal(t, http.StatusNotFound, w.get("/operator/jobs?state=lost").StatusCode)

	require.Equal(t, "/operator/jobs?state=waiting&done=retried", w.post("/operator/jobs/"+id+"/retry").Header.Get("Location"))
	require.Len(t, b.retried, 1)
	require.Equal(t, "/operator/jobs?state=cancelled&done=cancelled", w.post("/operator/jobs/"+id+"/cancel").Header.Get("Location"))
	_, err := b.db.Pool.Exec(t.Context(), `update river_job set state = 'running' where id::text = $1`, id)
	require.NoError(t, err)
	require.Equal(t, "/operator/jobs?state=cancelled&done=stopping", w.post("/operator/jobs/"+id+"/cancel").Header.Get("Location"))
	_, err = b.db.Pool.Exec(t.Context(), `update river_job set state = 'cancelled', finalized_at = now(), errors = array['{"error": "JobCancelError: x"}']::jsonb[] where id::text = $1`, id)
	require.NoError(t, err)
	page = text(t, w.get("/operator/jobs?state=cancelled&done=stopping"))
	for _, part := range []string{"Failed (0)", "once it has ended"} {
		require.Contains(t, page, part)
	}
	require.Regexp(t, `Cancelled\s+\(1\)`, page)
	require.NotContains(t, page, "JobCancelError", "the chip says it")
	require.Equal(t, http.StatusNotFound, w.post("/operator/jobs/999999/cancel").StatusCode)
	require.Equal(t, http.StatusNotFound, w.post("/operator/jobs/x/retry").StatusCode)
	require.Contains(t, text(t, w.get("/settings/trail")), "job run again")
}

func TestJobsThatFailedAlikeAreRunTogether(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	rows, err := b.db.Pool.Query(t.Context(), `insert into river_job (args, kind, max_attempts, queue, state, attempt, errors, attempted_at, scheduled_at)
 select '{"source": "fulton"}', 'feed', 25, 'feeds', 'retryable', 2, array['{"error": "the jail hung up"}']::jsonb[], now() - n * interval '1 hour', now() + '1 hour'
 from generate_series(1, 3) n returning id::text`)
	require.NoError(t, err)
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	w := b.as("ada@example.org")
	page := text(t, w.get("/operator/jobs"))
	require.Equal(t, 1, strings.Count(page, "the jail hung up"))
	for _, part := range []string{"3 jobs", "Run all 3 now", "Cancel all 3", `name="job" value="` + ids[2] + `"`} {
		require.Contains(t, page, part)
	}
	form := []string{"job", ids[0], "job", ids[1], "job", "999999"}
	require.Equal(t, "/operator/jobs?state=waiting&done=retried-all", w.post("/operator/jobs/retry", form...).Header.Get("Location"))
	require.Len(t, b.retried, 2)
	require.Equal(t, "/operator/jobs?state=cancelled&done=cancelled-all", w.post("/operator/jobs/cancel", form...).Header.Get("Location"))
	require.Len(t, b.cancelled, 2)
	require.Contains(t, text(t, w.get("/settings/trail")), "jobs run again")
	require.Equal(t, http.StatusConflict, w.post("/operator/jobs/retry", "job", "999999").StatusCode, "it is gone")
	require.Equal(t, http.StatusNotFound, w.post("/operator/jobs/retry", "job", "x").StatusCode)
}

func TestAJobThatHasEndedIsLeftAloneAndTheTrailSaysNothing(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	w := b.as("ada@example.org")
	for _, c := range []struct{ state, ask, says string }{
		{"completed", "cancel", "This job is done already"},
		{"completed", "retry", "This job is done already"},
		{"cancelled", "cancel", "This job is cancelled already"},
		{"discarded", "cancel", "This job is given up already"},
		{"running", "retry", "This job is running already"},
	} {
		var id string
		require.NoError(t, b.db.Pool.QueryRow(t.Context(), `insert into river_job (args, kind, max_attempts, queue, state, attempt, scheduled_at, finalized_at)
 values ('{}', 'feed', 25, 'feeds', $1::text::river_job_state, 1, now(), case when $1::text = 'running' then null else now() end) returning id::text`, c.state).Scan(&id))
		resp := w.post("/operator/jobs/" + id + "/" + c.ask)
		require.Equal(t, http.StatusConflict, resp.StatusCode, "%s a job that is %s", c.ask, c.state)
		require.Contains(t, text(t, resp), c.says)
	}
	require.Empty(t, b.retried)
	require.Empty(t, b.cancelled)
	trail := text(t, w.get("/settings/trail"))
	require.NotContains(t, trail, "job cancelled")
	require.NotContains(t, trail, "job run again")
}

func TestQuarantinedRowsAreOpenedForOperatorsAndThatIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled) values ('fulton', 'Fulton jail', 'roster', true)`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `with r as (insert into runs (source_id, state, started_at) values ('fulton', 'partial', now()) returning id)
 insert into quarantine (run_id, source_id, line, field, reason, encrypted, at, last_at, times, expires_at) select id, 'fulton', 7, 'dob', 'not a date', '<i>row</i>', now(), now(), 3, now() + '1 day' from r`)
	require.NoError(t, err)
	w := b.as("ada@example.org")
	page := text(t, w.get("/operator/sources/fulton/quarantine"))
	require.Contains(t, page, "not a date")
	require.Contains(t, page, "seen 3 times")
	require.Contains(t, page, `<b class="num">1</b>`, "one row, however often it is seen")
	require.Contains(t, text(t, w.get("/operator/sources")), `data-label="Quarantined" class="num">1</td>`)
	require.NotContains(t, page, "opened")
	require.Contains(t, text(t, w.post("/operator/sources/fulton/quarantine")), "opened &lt;i&gt;row&lt;/i&gt;")
	page = text(t, w.post("/operator/sources/fulton/replay"))
	require.Contains(t, page, `data-at="/operator/sources/fulton/quarantine"`, "the address of a form is no page to come back to")
	require.Contains(t, page, `<span id="paper-address">`+b.url+`/operator/sources/fulton/quarantine</span>`)
	require.Contains(t, page, "<b>3</b><span>rows resolved</span>")
	trail := text(t, w.get("/settings/trail"))
	require.Contains(t, trail, "quarantined rows: show the text")
	require.Contains(t, trail, "source: retry")
	require.Equal(t, http.StatusNotFound, w.post("/operator/sources/nowhere/replay").StatusCode)
}

func TestRowsInQuarantineAreIgnoredUntilTheyChange(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled) values ('fulton', 'Fulton jail', 'roster', true)`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `with r as (insert into runs (source_id, state, started_at, report) values
 ('fulton', 'partial', now(), '{"quarantined": 1, "quarantined_new": 1}'), ('fulton', 'partial', now(), '{"quarantined": 1, "quarantined_new": 0}'),
 ('fulton', 'partial', now(), '{"quarantined": 1, "quarantined_new": 0, "doubts": ["the list ends early"]}'), ('fulton', 'partial', now(), '{"quarantined": 1}') returning id)
 insert into quarantine (run_id, source_id, line, field, reason, encrypted, at, last_at, times, expires_at)
 select min(id), 'fulton', 7, 'dob', 'not a <date>', 'row', now(), now(), 3, now() + '1 day' from r`)
	require.NoError(t, err)
	w := b.as("ada@example.org")
	rows := `data-label="Quarantined" class="num">1</td>`
	require.Contains(t, text(t, w.get("/operator/sources")), rows)
	require.Contains(t, text(t, w.get("/operator/sources/fulton")), "4 runs: 1 OK (known bad rows), 3 partial", "what was refused before needs nobody")

	form := []string{"field", "dob", "reason", "not a <date>"}
	page := text(t, w.post("/operator/sources/fulton/ignore", form...))
	require.Contains(t, page, `<b>No rows are waiting</b>1 row is ignored until it changes.`)
	require.NotContains(t, page, "was processed", "it did not")
	require.Contains(t, page, `role="status">1 row is ignored until`, "the form says what it did")
	require.Contains(t, page, `<h2 id="ignored">1 row is ignored until it changes</h2>`)
	list := text(t, w.get("/operator/sources"))
	require.NotContains(t, list, rows)
	require.Contains(t, list, `class="num">0<p class="small quiet">1 ignored</p></td>`)
	require.Regexp(t, `/quarantine#ignored">\s*1 row is ignored until it changes`, text(t, w.get("/operator/sources/fulton")), "the way back")
	page = text(t, w.post("/operator/sources/fulton/unignore", form...))
	require.NotContains(t, page, `id="ignored"`)
	require.Contains(t, page, "1 row waits here again.")
	require.Contains(t, text(t, w.get("/operator/sources")), rows)
	trail := text(t, w.get("/settings/trail"))
	require.Contains(t, trail, "quarantined rows: ignore until they change")
	require.Contains(t, trail, "quarantined rows: stop ignoring")
	require.NotContains(t, text(t, w.post("/operator/sources/fulton/ignore", "field", "dob", "reason", "another")), `id="ignored"`)
	require.Equal(t, http.StatusNotFound, w.post("/operator/sources/nowhere/ignore", form...).StatusCode)
}

func TestARowOfAnEarlierFileIsCountedNowhere(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled) values ('fulton', 'Fulton jail', 'roster', true)`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `with r as (insert into runs (source_id, state, started_at, snapshot_at, complete) values
 ('fulton', 'partial', now() - interval '1 hour', now() - interval '1 hour', true), ('fulton', 'partial', now(), now(), true) returning id)
 insert into quarantine (run_id, source_id, line, field, reason, encrypted, at, last_at, expires_at)
 select r.id, 'fulton', n, 'dob', 'not a date', 'row', now(), now(), now() + '1 day' from (select min(id) as id, 1 as n from r union all select max(id), 2 from r) r`)
	require.NoError(t, err)
	w := b.as("ada@example.org")
	require.Contains(t, text(t, w.get("/operator/sources")), `data-label="Quarantined" class="num">1</td>`)
	page := text(t, w.get("/operator/sources/fulton"))
	require.Contains(t, page, `/quarantine">1 row waits</a>`)
	require.Contains(t, page, `<b class="num">1</b>`)
	page = text(t, w.get("/operator/sources/fulton/quarantine"))
	require.Contains(t, page, `<h2 id="rows">1 row waits</h2>`)
	require.Contains(t, page, `<h2 id="earlier">1 row is from an earlier file</h2>`)
	require.Equal(t, 2, strings.Count(page, `<b class="num">1</b>`), "one that waits and one of an earlier file")
}

func TestASourceIsReadNowAndItsPageSaysWhatDecides(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, interval_seconds, last_attempt, last_success, data_at, not_before) values
 ('fulton', 'Fulton jail', 'roster', true, 900, now(), now(), now() - interval '3 hours', now() + interval '40 minutes')`)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `insert into runs (source_id, state, started_at, finished_at, report) values
 ('fulton', 'ok', now(), now(), '{"fetched": 7, "parsed": 7, "older": 7}'), ('fulton', 'ok', now(), now(), '{"fetched": 7, "parsed": 7, "older": 6}')`)
	require.NoError(t, err)
	w := b.as("ada@example.org")
	list := text(t, w.get("/operator/sources"))
	require.Contains(t, list, `>3 hours ago</time><p class="small quiet">answered <time `, "the data decide, not the answer")
	page := text(t, w.get("/operator/sources/fulton"))
	require.Contains(t, page, "2 runs: 1 ok, 1 nothing newer")
	require.Contains(t, page, "later because of failures")

	require.Equal(t, "/operator/sources/fulton?done=asked", w.post("/operator/sources/fulton/read").Header.Get("Location"))
	require.Equal(t, []string{"fulton"}, b.read)
	require.Equal(t, http.StatusNotFound, w.post("/operator/sources/nowhere/read").StatusCode)
	require.NotContains(t, text(t, w.get("/operator/sources/fulton")), "later because of failures", "it is not left alone any more")
	require.Contains(t, text(t, w.get("/settings/trail")), "source: read now")
	require.Contains(t, list+page, "15 minutes")

	t.Log("one that refuses says so and when it is asked next, and is asked again by who has called its publisher")
	_, err = b.db.Pool.Exec(t.Context(), `update sources set refused_since = now(), note = 'its page says "captcha"', not_before = now() + interval '2 hours'`)
	require.NoError(t, err)
	page = text(t, w.get("/operator/sources/fulton"))
	require.Contains(t, page, "Refused since ")
	require.Contains(t, page, "Its page says &#34;captcha&#34;. Call its publisher")
	require.Regexp(t, `next \w+ \d+, \d{4}, \d+:\d\d [AP]M`, page)
	require.Contains(t, page, "Ask Fulton jail again")
	require.Equal(t, http.StatusSeeOther, w.post("/operator/sources/fulton/read").StatusCode)
	require.Equal(t, []string{"fulton", "fulton"}, b.read)
	_, err = b.db.Pool.Exec(t.Context(), `update sources set held_since = now(), refused_since = null`)
	require.NoError(t, err)
	require.NotContains(t, text(t, w.get("/operator/sources/fulton")), "Read now", "who holds it decides first")
}

// TestATakeoverIsArchived holds that what was taken over has one state, and is not counted among what a schedule reads.
func TestATakeoverIsArchived(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	_, err := b.db.Pool.Exec(t.Context(), `insert into sources (id, title, kind, enabled, imports, last_attempt, last_success, interval_seconds)
 values ('before', 'Taken over: roster', 'roster', false, true, now(), now(), null), ('jail', 'Moss Hill jail', 'roster', true, false, now(), now(), 3600)`)
	require.NoError(t, err)
	w := b.as("ada@example.org")
	page := text(t, w.get("/operator/sources"))
	for _, part := range []string{"On schedule (1)", "Archived (1)", "<b>1</b><span>sources</span>", `<span class="chip">archived</span>`} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "schedule stopped")
	require.Contains(t, text(t, w.get("/operator/sources/before")), `<span class="chip">archived</span>`)
}
