package web_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// picks gives what the ticks of some records send, of the records of a page.
func picks(t *testing.T, page string, records ...string) (fields []string) {
	t.Helper()
	for _, record := range records {
		tick := regexp.MustCompile(`name="pick" form="several" value="([0-9a-f]+ ` + record + `)"`).FindStringSubmatch(page)
		require.NotNil(t, tick, "%s can be ticked", record)
		fields = append(fields, "pick", tick[1])
	}
	return fields
}

func TestSeveralRecordsAreDecidedOnOneGround(t *testing.T) {
	t.Parallel()
	b, w := waiting(t)
	const one, other, third = "fulton-2026-000001", "fulton-2026-000002", "fulton-2026-000004"
	page := text(t, w.get("/operator/review"))
	require.Contains(t, page, `<datalist id="grounds">`)
	require.Equal(t, http.StatusUnprocessableEntity, w.post("/operator/review/several", "decision", "lift", "note", "of age").StatusCode, "none is ticked")
	refused := text(t, w.post("/operator/review/several", append(picks(t, page, one), "decision", "lift", "note", " ")...))
	require.Contains(t, refused, "Write a reason")
	require.Regexp(t, `value="[0-9a-f]+ `+one+`" checked>`, refused, "the tick stays")

	t.Log("one that was decided meanwhile stays as it was, and the others do not wait for it")
	all := append(picks(t, page, one, other, third), "decision", "keep", "note", "the jail does not know")
	require.Equal(t, http.StatusSeeOther, w.post("/operator/review/lift", w.decision(page, other, "note", "of age, says the jail")...).StatusCode)
	resp := w.post("/operator/review/several", all...)
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	page = text(t, resp)
	require.Contains(t, page, "2 records were kept hidden.")
	require.Contains(t, page, "See them under Decided")
	require.Contains(t, page, "1 record was decided or updated after you opened the page and stays as it was")
	require.Equal(t, http.StatusOK, w.get("/roster/"+other).StatusCode)
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+one).StatusCode)
	trail := text(t, w.get("/settings/trail"))
	require.Len(t, regexp.MustCompile("record: keep hidden").FindAllString(trail, -1), 2, "each has a line in the trail")
	require.NotContains(t, trail, one)
	list, total, err := b.store.Reviews(t.Context(), true, "", 9)
	require.NoError(t, err)
	require.Equal(t, 3, total)
	require.Equal(t, "the jail does not know", *list[0].Note)
}

func TestTheReviewIsNarrowed(t *testing.T) {
	t.Parallel()
	b, w := waiting(t)
	const one, other = "fulton-2026-000001", "fulton-2026-000002"
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set last_seen = case when id = $1 then now() - interval '40 days' else now() end`, one)
	require.NoError(t, err)
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set last_seen = now(), withheld = 'maybe restricted', county_id = (select id from counties where slug = 'cobb') where id = $1`, other)
	require.NoError(t, err)
	shown := func(query string) (ids []string) {
		page := text(t, w.get("/operator/review?"+query))
		for _, found := range regexp.MustCompile(`name="record" value="(fulton-2026-\d+)"><input type="hidden" name="seen"`).FindAllStringSubmatch(page, -1) {
			if len(ids) == 0 || ids[len(ids)-1] != found[1] {
				ids = append(ids, found[1])
			}
		}
		return ids
	}
	require.Len(t, shown(""), 3)
	require.Equal(t, []string{other}, shown(url.Values{"reason": {"maybe restricted"}}.Encode()))
	require.Equal(t, []string{other}, shown("county=cobb"))
	require.Equal(t, []string{one}, shown("age=over-month"))
	require.Contains(t, shown("age=day"), other)
	require.Empty(t, shown("source=nowhere"))
	require.Contains(t, text(t, w.get("/operator/review?source=nowhere")), "No record matches")
	for _, wrong := range []string{"reason=juvenile", "county=atlantis", "age=ever"} {
		require.Equal(t, http.StatusNotFound, w.get("/operator/review?"+wrong).StatusCode, wrong)
	}

	t.Log("the order is that in which they were withheld, whenever a source had them last, and each says since when it waits")
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set withheld_since = now() - interval '3 days' where id = $1`, other)
	require.NoError(t, err)
	require.Equal(t, other, shown("")[0])
	require.Contains(t, text(t, w.get("/operator/review")), "withheld since")
	require.Len(t, shown("from=1"), 2, "the first one stands on the page before")
	require.Len(t, shown("from=99"), 3, "there is no such page any more")
	require.Contains(t, text(t, w.get("/operator/review?from=1")), "2 to 3 of 3.")

	t.Log("the forms keep the filter, and an address alone shows no names")
	page := text(t, w.get("/operator/review?county=cobb&named=yes"))
	require.NotContains(t, page, "QUILLFEATHER")
	require.Contains(t, page, `href="/operator/review?county=cobb&amp;state=decided"`)
	require.Contains(t, text(t, w.post("/operator/review", "county", "cobb")), "QUILLFEATHER")
	require.NotContains(t, text(t, w.post("/operator/review", "county", "cobb")), "MOONSAIL")
	require.Equal(t, "/operator/review?county=cobb&done=kept&record="+other, w.post("/operator/review/keep", w.decision(text(t, w.get("/operator/review")), other, "note", "nobody knows", "county", "cobb")...).Header.Get("Location"))
}
