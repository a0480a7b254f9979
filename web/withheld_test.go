package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// waiting makes three bookings that wait for a review, of one of which no year of birth can be read, and one that does not.
func waiting(t *testing.T) (b *bundle, w *browser) {
	t.Helper()
	b = setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Owner, true)
	b.db.Add(t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", BirthYear: 2009, At: "2026-03-01T10:00:00-05:00", Withheld: "maybe juvenile"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "QUILLFEATHER, ORLA", BirthYear: 2009, At: "2026-03-01T11:00:00-05:00", Withheld: "maybe juvenile"},
		testdb.Booking{ID: "fulton-2026-000004", Name: "BRIARPATCH, ASH", Withheld: "maybe juvenile"},
		testdb.Booking{ID: "fulton-2026-000003", Name: "THISTLEDOWN, PIP", Withheld: "juvenile"},
	)
	return b, b.as("ada@example.org")
}

// decision gives what the form of a record on the page of reviews sends.
func (w *browser) decision(page, record string, more ...string) []string {
	w.t.Helper()
	seen := regexp.MustCompile(`name="record" value="` + record + `"><input type="hidden" name="seen" value="([0-9a-f]+)"`).FindStringSubmatch(page)
	require.NotNil(w.t, seen, "%s stands on the page", record)
	return append([]string{"record", record, "seen", seen[1]}, more...)
}

func TestAnOperatorDecidesWhoIsNoJuvenileOnAPage(t *testing.T) {
	t.Parallel()
	b, w := waiting(t)
	const one, other = "fulton-2026-000001", "fulton-2026-000002"
	names := regexp.MustCompile(`MOONSAIL|QUILLFEATHER|THISTLEDOWN|BRIARPATCH`)
	require.Contains(t, text(t, w.get("/operator/sources")), "<b>3 records</b> wait for")

	t.Log("names are shown to who asks for them, and the trail keeps that")
	page := text(t, w.get("/operator/review"))
	for _, part := range []string{one, other, "Waiting (3)", "We can’t confirm that the person was 17 or older.", "Decided (0)", "Born 2009", "Booked Mar 1, 2026, 10:00 AM", "may have been under 17 at booking"} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "fulton-2026-000003", "who is told to be a juvenile is not open to review")
	require.NotRegexp(t, names, page)
	require.NotContains(t, text(t, w.get("/settings/trail")), "withheld records: show the names")
	resp := w.post("/operator/review")
	require.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
	page = text(t, resp)
	require.Contains(t, page, "MOONSAIL, WREN")
	require.NotContains(t, page, "THISTLEDOWN")
	require.Contains(t, text(t, w.get("/settings/trail")), "withheld records: show the names")

	t.Log("grounds are needed")
	resp = w.post("/operator/review/lift", w.decision(page, one, "note", " ")...)
	require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
	refused := text(t, resp)
	require.Contains(t, refused, "Write a reason")
	require.Regexp(t, `<details class="confirm" open><summary>Publish<span class="visually-hidden">: `+one+`<`, refused, "the form is open again")
	require.Len(t, regexp.MustCompile(`name="note"[^>]* aria-invalid="true" aria-describedby="problem"`).FindAllString(refused, -1), 1)
	require.Equal(t, http.StatusUnprocessableEntity, w.post("/operator/review/lift", w.decision(page, one, "note", strings.Repeat("long ", 120))...).StatusCode)
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+one).StatusCode)

	t.Log("one is published, one stays hidden")
	require.Equal(t, "/operator/review?done=lifted&record="+one, w.post("/operator/review/lift", w.decision(page, one, "note", "born in January, says the jail")...).Header.Get("Location"))
	require.Equal(t, http.StatusOK, w.get("/roster/"+one).StatusCode)
	require.Contains(t, text(t, w.get("/operator/review?done=lifted&record="+one)), `<a href="/roster/`+one+`">Open the record</a>`)
	require.NotContains(t, text(t, w.get("/operator/review?done=lifted&record=anything")), "anything</code>", "an address writes no message")
	page = text(t, w.post("/operator/review/keep", w.decision(page, other, "note", "the jail does not know", "named", "yes")...))
	require.Contains(t, page, "The record stays hidden.")
	require.Contains(t, page, `href="/operator/review?state=decided#review-`+other+`">Change the decision`)
	require.Contains(t, page, "Waiting (1)")
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+other).StatusCode)

	t.Log("what was decided stands with who did and why, and can be decided again")
	page = text(t, w.get("/operator/review?state=decided"))
	for _, part := range []string{"Waiting (1)", "Decided (2)", "born in January, says the jail", "the jail does not know", "by ada@example.org", `href="/roster/` + one + `"`} {
		require.Contains(t, page, part)
	}
	require.NotRegexp(t, names, page)
	require.NotContains(t, page, `href="/roster/`+other+`"`)
	list, total, err := b.store.Reviews(t.Context(), true, "", 9)
	require.NoError(t, err)
	require.Equal(t, 2, total)
	require.Equal(t, "ada@example.org", *list[0].Actor)
	require.Equal(t, "/operator/review?done=hidden-again&record="+one+"&state=decided", w.post("/operator/review/keep", w.decision(page, one, "note", "a mistake", "state", "decided")...).Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+one).StatusCode)

	t.Log("the trail, which members read, says of no hidden record which one it is")
	trail := text(t, w.get("/settings/trail"))
	require.Contains(t, trail, "record: publish")
	require.Contains(t, trail, "record: keep hidden")
	require.Contains(t, trail, "record: hide again")
	require.NotRegexp(t, `fulton-2026-00000|MOONSAIL|QUILLFEATHER|THISTLEDOWN`, trail)
}

func TestADecisionOfAnotherTabIsNotUndoneUnseen(t *testing.T) {
	t.Parallel()
	b, w := waiting(t)
	const one = "fulton-2026-000001"
	page := text(t, w.get("/operator/review"))
	first, second := w.decision(page, one, "note", "not of age, says the jail"), w.decision(page, one, "note", "of age, says the court")
	require.Equal(t, http.StatusSeeOther, w.post("/operator/review/keep", first...).StatusCode)
	resp := w.post("/operator/review/lift", second...)
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, text(t, resp), "after you opened the page; nothing was changed")
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+one).StatusCode)
	require.Equal(t, http.StatusConflict, w.post("/operator/review/lift", "record", one, "note", "without a version").StatusCode)

	t.Log("nor what its source told meanwhile")
	const other = "fulton-2026-000002"
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set because_booking = (select rid from bookings where id = 'fulton-2026-000003') where id = $1`, other)
	require.NoError(t, err)
	require.Equal(t, http.StatusConflict, w.post("/operator/review/lift", w.decision(page, other, "note", "of age")...).StatusCode)
	require.Contains(t, text(t, w.get("/operator/review")), "the same person as in booking fulton-2026-000003, which is withheld")
	_, err = b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'juvenile' where id = $1`, other)
	require.NoError(t, err)
	resp = w.post("/operator/review/lift", w.decision(page, other, "note", "of age")...)
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
	require.Contains(t, text(t, resp), "no longer in review")
}

func TestAnOperatorWithholdsAPublishedRecordOnThePage(t *testing.T) {
	t.Parallel()
	b, w := waiting(t)
	const id = "fulton-2026-000009"
	b.db.Add(t, testdb.Booking{ID: id, Name: "FENWICKE, DELL"})
	require.Equal(t, http.StatusOK, w.get("/roster/"+id).StatusCode)
	require.Equal(t, http.StatusUnprocessableEntity, w.post("/operator/review/withhold", "record", id, "note", " ").StatusCode)
	require.Equal(t, http.StatusNotFound, w.post("/operator/review/withhold", "record", "nobody", "note", "an order").StatusCode)
	require.Equal(t, "/operator/review?done=withheld&record="+id+"&state=decided", w.post("/operator/review/withhold", "record", id, "note", "an order of the court").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+id).StatusCode)
	page := text(t, w.get("/operator/review?state=decided"))
	require.Contains(t, page, "An operator withheld it.")
	require.Contains(t, page, "an order of the court")
	trail := text(t, w.get("/settings/trail"))
	require.Contains(t, trail, "record: withhold")
	require.NotContains(t, trail, id)
	require.Contains(t, page, "Alerts that reported it before show their hit again and send nothing.")
	require.Contains(t, page, "withheld since")
	w.post("/operator/review/lift", w.decision(page, id, "note", "it was lifted", "state", "decided")...)
	require.Equal(t, http.StatusOK, w.get("/roster/"+id).StatusCode)

	t.Log("it stays among the decided ones, and is hidden again from there")
	page = text(t, w.get("/operator/review?state=decided"))
	require.Contains(t, page, "it was lifted")
	require.NotContains(t, page, "withheld since")
	require.Equal(t, http.StatusSeeOther, w.post("/operator/review/keep", w.decision(page, id, "note", "a mistake", "state", "decided")...).StatusCode)
	require.Equal(t, http.StatusNotFound, w.get("/roster/"+id).StatusCode)
	page = text(t, w.get("/operator/review?state=decided"))
	require.Contains(t, page, "Decided (1)")
	w.post("/operator/review/lift", w.decision(page, id, "note", "it was lifted", "state", "decided")...)

	t.Log("a restriction by its source is not the operator's to lift")
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted' where id = $1`, id)
	require.NoError(t, err)
	require.NotContains(t, text(t, w.get("/operator/review?state=decided")), id)
	require.Error(t, b.store.Review(t.Context(), id, models.ReviewLifted, "ada@example.org", "again"))
}
