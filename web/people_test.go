package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// aPerson stores a booking, a state record and a case of one person, a booking that may be theirs, and a withheld one.
func (b *bundle) aPerson() {
	b.t.Helper()
	b.db.Add(b.t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, WREN", DOB: "1990-02-03", Charges: []string{"TRESPASS"}},
		testdb.Booking{ID: "cobb-2025-000002", Name: "MOONSAIL, WREN A", County: "cobb", DOB: "1990-02-03", At: "2025-03-01T12:00:00-05:00", Released: "2025-03-02T12:00:00-05:00"},
		testdb.Booking{ID: "cobb-2025-000003", Name: "MOONSAIL, WREN", County: "cobb", At: "2025-04-01T12:00:00-05:00"},
		testdb.Booking{ID: "cobb-2025-000004", Name: "MOONSAIL, WREN SENTINEL", County: "cobb", DOB: "1990-02-03", Withheld: "restricted"},
		testdb.Offender{GdcID: "1000412", Name: "MOONSAIL, WREN ADA", DOB: "1990-02-03", Sentence: "5 years"},
		testdb.Case{Number: "26-CR-1", Defendant: "MOONSAIL, WREN", Hearings: []testdb.Hearing{{Date: "2040-04-01", Time: "09:30"}}},
		testdb.Link{Booking: "fulton-2026-000001", Offender: "1000412"}, testdb.Link{Booking: "cobb-2025-000003", Offender: "1000412", Confidence: "low"},
		testdb.CourtLink{Case: "26-CR-1", Booking: "fulton-2026-000001", Confidence: "high"},
	)
}

func TestAPersonIsOnePageWithoutScripts(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.aPerson()
	w := b.as("ada@example.org")
	for _, id := range []string{"fulton-2026-000001", "cobb-2025-000002", "gdc-1000412", "1000412"} {
		page := text(t, w.get("/people/"+id))
		for _, part := range []string{
			"MOONSAIL, WREN ADA", "in custody", "born Feb 3, 1990", "next hearing Apr 1, 2040", "TRESPASS", "5 years", "26-CR-1", "Possibly the same person",
			`href="/roster/cobb-2025-000003"`, `<span class="chip good">high confidence</span> with the state record 1000412`, "birth date agrees", "No alert of your account",
		} {
			require.Contains(t, page, part, id)
		}
		require.NotContains(t, page, "SENTINEL")
	}
	require.Contains(t, text(t, w.get("/roster/fulton-2026-000001")), `href="/people/fulton-2026-000001"`)
	for _, id := range []string{"cobb-2025-000004", "fulton-2026-999999", "x"} {
		require.Equal(t, http.StatusNotFound, w.get("/people/"+id).StatusCode, id)
	}

	t.Log("the people of a name are grouped, and those that a name alone links stay apart")
	page := text(t, w.get("/people?name=moonsail"))
	require.Contains(t, page, `href="/people/gdc-1000412"`)
	require.Contains(t, page, "2 bookings (Fulton, Cobb)")
	require.Contains(t, page, `href="/people/cobb-2025-000003"`)
	require.NotContains(t, page, `href="/people/cobb-2025-000002"`)
	require.Contains(t, page, "People named <bdi>moonsail</bdi>")
	require.Contains(t, text(t, w.get("/people?name=moon")), "Partial matches")
	require.NotContains(t, page, "Partial matches")
	page = text(t, w.get("/people?name=nobody&county=fulton"))
	require.Contains(t, page, "No one was found")
	require.Contains(t, page, `<a href="/people?name=nobody">Search all of Georgia</a>`)
	require.Equal(t, http.StatusUnprocessableEntity, w.get("/people?name=moonsail&county=narnia").StatusCode)
	require.Contains(t, text(t, w.get("/people")), "<h1>People</h1>")
}

func TestPeopleUnderASimilarNameAreFound(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.aPerson()
	var rid int64
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select rid from bookings where id = 'fulton-2026-000001'`).Scan(&rid))
	name := &models.SimilarName{Record: &models.Booking{RID: rid}, Reasons: []string{"first name agrees"}}
	b.similar.found = &models.SimilarNames{Total: 3, Days: 365, Names: []*models.SimilarName{name, name}}
	w := b.as("ada@example.org")
	page := text(t, w.get("/people?name=moonsale+wren"))
	for _, part := range []string{"No one was found", "People with a similar name", "first name agrees", `href="/search?q=moonsale&#43;wren&amp;similar=yes#similar"`} {
		require.Contains(t, page, part)
	}
	require.Equal(t, 1, strings.Count(page, `href="/people/gdc-1000412"`), "a person is listed once")

	t.Log("where somebody has the name, they are looked for when the reader asks")
	page = text(t, w.get("/people?name=moonsail+wren"))
	require.Contains(t, page, "Look for similar names")
	require.NotContains(t, page, "People with a similar name")
	require.Contains(t, text(t, w.get("/people?name=moonsail+wren&similar=yes")), "People with a similar name")
	require.Len(t, b.similar.asked, 2)
}

func TestAReportIsDecidedByAnOperator(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	b.user(b.account, "op@example.org", models.Member, true)
	b.aPerson()
	ada, op := b.as("ada@example.org"), b.as("op@example.org")
	require.Contains(t, text(t, op.get("/operator/people")), "No open reports")
	require.NotContains(t, text(t, ada.get("/people/fulton-2026-999999")), "Not the same person")

	resp := ada.post("/people/1000412/report", "record", "cobb-2025-000002", "note", "another middle name")
	require.Equal(t, "/people/1000412?done=person-reported", resp.Header.Get("Location"))
	require.Contains(t, text(t, ada.get("/people/1000412?done=person-reported")), "until an operator decides")
	require.Equal(t, http.StatusConflict, ada.post("/people/1000412/report", "record", "cobb-2025-000002").StatusCode)
	for _, elsewhere := range []string{"cobb-2025-000004", "fulton-2026-999999", ""} {
		require.Equal(t, http.StatusNotFound, ada.post("/people/1000412/report", "record", elsewhere).StatusCode)
	}
	page := text(t, op.get("/operator/people"))
	for _, part := range []string{"another middle name", "by ada@example.org", "MOONSAIL, WREN ADA", "birth date agrees", "born Feb 3, 1990 · Cobb County", "born Feb 3, 1990 · offender id 1000412", "leaves the person’s page at once", "Not the same person", "Same person"} {
		require.Contains(t, page, part)
	}
	require.Equal(t, http.StatusUnprocessableEntity, op.post("/operator/people/1", "decision", "apart", "note", " ").StatusCode)
	require.Equal(t, http.StatusNotFound, op.post("/operator/people/77", "decision", "apart", "note", "the jail says so").StatusCode)
	require.Equal(t, http.StatusNotFound, op.post("/operator/people/x", "decision", "apart", "note", "the jail says so").StatusCode)
	require.Equal(t, "/operator/people?done=person-split", op.post("/operator/people/1", "decision", "apart", "note", "the jail says so").Header.Get("Location"))
	require.NotContains(t, text(t, ada.get("/people/1000412")), "cobb-2025-000002")
	require.Contains(t, text(t, ada.get("/people/cobb-2025-000002")), `<h1><span title="MOONSAIL, WREN A">Moonsail, Wren A</span></h1>`)
	page = text(t, op.get("/operator/people"))
	require.Contains(t, page, "the jail says so")
	require.Contains(t, page, "Undo")
	require.Equal(t, http.StatusNotFound, op.post("/operator/people/1", "decision", "together", "note", "it is decided").StatusCode)
	require.Equal(t, http.StatusUnprocessableEntity, op.post("/operator/people/1", "decision", "undo", "note", " ").StatusCode)
	require.Equal(t, "/operator/people?done=person-reopened", op.post("/operator/people/1", "decision", "undo", "note", "the jail was wrong").Header.Get("Location"))
	page = text(t, op.get("/operator/people?done=person-reopened"))
	for _, part := range []string{"The report is open again.", "another middle name", "Not the same person"} {
		require.Contains(t, page, part)
	}
	require.NotContains(t, page, "Decided, newest first")
	require.Contains(t, text(t, ada.get("/people/1000412")), `href="/roster/cobb-2025-000002"`)
	trail := text(t, ada.get("/settings/trail"))
	require.Contains(t, trail, "record reported as another person’s")

	t.Log("the trail keeps each decision, and 'same person' is taken back as well")
	require.Equal(t, "/operator/people?done=person-kept", op.post("/operator/people/1", "decision", "together", "note", "the jail agrees").Header.Get("Location"))
	require.Equal(t, "/operator/people?done=person-reopened", op.post("/operator/people/1", "decision", "undo", "note", "a slip").Header.Get("Location"))
	require.Equal(t, http.StatusNotFound, op.post("/operator/people/1", "decision", "undo", "note", "a slip").StatusCode)
	trail = text(t, op.get("/settings/trail"))
	for action, reason := range map[string]string{
		"report: not the same person": "the jail says so", "report: same person": "the jail agrees", "report: undo": "the jail was wrong",
	} {
		require.Contains(t, trail, action)
		require.Contains(t, trail, "cobb-2025-000002 · report 1: "+reason)
	}
	require.Equal(t, http.StatusSeeOther, op.post("/operator/people/1", "decision", "together", "note", "settled").StatusCode)

	t.Log("links that the decision dismissed come back with Undo")
	const joined = `href="/corrections/1000412"`
	require.Contains(t, text(t, ada.get("/roster/fulton-2026-000001")), joined)
	require.Equal(t, http.StatusSeeOther, ada.post("/people/1000412/report", "record", "fulton-2026-000001").StatusCode)
	require.Equal(t, http.StatusSeeOther, op.post("/operator/people/3", "decision", "apart", "note", "the jail says so").StatusCode)
	require.NotContains(t, text(t, ada.get("/roster/fulton-2026-000001")), joined)
	require.Equal(t, "/operator/people?done=person-rejoined", op.post("/operator/people/3", "decision", "undo", "note", "the jail was wrong").Header.Get("Location"))
	require.Contains(t, text(t, ada.get("/roster/fulton-2026-000001")), joined)

	t.Log("a report on a record that is withheld later shows nothing of it")
	require.Contains(t, text(t, op.get("/operator/people")), "fulton-2026-000001")
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set withheld = 'restricted' where id = 'fulton-2026-000001'`)
	require.NoError(t, err)
	require.NotContains(t, text(t, op.get("/operator/people")), "fulton-2026-000001")
}

func TestAPersonShowsWhichAlertsMatched(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	other := b.newAccount("other@example.org", models.Enterprise)
	b.aPerson()
	for account, name := range map[string]string{b.account.ID: "Wren Moonsail", other.ID: "Wren Quartz"} {
		watcher, err := b.store.CreateWatcher(t.Context(), account, &models.NewWatcher{Name: name})
		require.NoError(t, err)
		_, err = b.db.Pool.Exec(t.Context(), `insert into hits (id, account_id, watcher_id, rid, probability, reasons, at)
 select 'hit_' || $1, $1, $2, rid, 0.9, '{surname agrees}', now() from bookings where id = 'fulton-2026-000001'`, account, watcher.ID)
		require.NoError(t, err)
	}
	page := text(t, b.as("ada@example.org").get("/people/1000412"))
	require.Contains(t, page, "Wren Moonsail")
	require.Contains(t, page, `<span class="chip accent">unread</span>`)
	require.NotContains(t, page, "Quartz", "what other accounts watch is theirs")
	_, err := b.store.Handle(t.Context(), b.account.ID, "hit_"+b.account.ID, models.Handling{Read: new(true)})
	require.NoError(t, err)
	require.Contains(t, text(t, b.as("ada@example.org").get("/people/1000412")), `<span class="chip ">read</span>`, "where it stands in the inbox")
}
