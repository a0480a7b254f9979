package link_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/link"
)

// reporting stores an account and a second booking of Jane Doe, and returns the person's records.
func (b *bundle) reporting(t *testing.T) (account string, p *models.Person) {
	t.Helper()
	a := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, a))
	b.Add(t, testdb.Booking{ID: "cobb-2025-000007", Name: "DOE, JANE", DOB: "1980-03-04", County: "cobb"}, linked(janes, "G1"),
		testdb.CourtLink{Case: "C1", Booking: janes, Confidence: "high"})
	p, err := b.Store.PersonByID(b.Ctx, janes)
	require.NoError(t, err)
	require.Len(t, p.Records(), 4)
	return a.ID, p
}

// others are the records of a person beside one.
func others(p *models.Person, id string) (all []*models.PersonRecord) {
	for _, r := range p.Records() {
		if r.ID() != id {
			all = append(all, r)
		}
	}
	return all
}

func TestARecordThatIsSomebodyElsesLeavesThePersonForGood(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, p := b.reporting(t)
	r := &models.PersonReport{Record: janes, Person: "gdc-G1", AccountID: account, Reporter: "ada@example.org", Note: " another middle name "}
	require.NoError(t, b.Store.ReportPerson(b.Ctx, r))
	open, total, err := b.Store.PersonReports(b.Ctx, true, 10)
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, "another middle name", open[0].Note)
	same, err := b.Store.PersonByID(b.Ctx, janes)
	require.NoError(t, err)
	require.Equal(t, p.ID, same.ID, "a report alone changes nothing")

	links, courtLinks := b.links(t), b.courtLinks(t)
	require.Len(t, links, 1)
	require.Len(t, courtLinks, 1)
	require.NoError(t, b.Store.SplitPerson(b.Ctx, r.ID, "op@example.org", "the jail says so", p.Record(janes), others(p, janes)))
	require.Empty(t, b.courtLinks(t))
	alone, err := b.Store.PersonByID(b.Ctx, janes)
	require.NoError(t, err)
	require.Equal(t, janes, alone.ID)
	require.Len(t, alone.Records(), 1)
	require.Empty(t, alone.Possible)
	rest, err := b.Store.PersonByID(b.Ctx, "cobb-2025-000007")
	require.NoError(t, err)
	require.Nil(t, rest.Record(janes))
	require.Empty(t, b.links(t), "its links are dismissed")
	pair, err := b.Store.LinkPairOf(b.Ctx, janes, "G1")
	require.NoError(t, err)
	require.Equal(t, models.LinkDismissed, *pair.Decision)

	t.Log("a later booking that fits both joins one of them, and not the two")
	b.Add(t, testdb.Booking{ID: "fulton-2026-000009", Name: "DOE, JANE", DOB: "1980-03-04"})
	for _, id := range []string{janes, "cobb-2025-000007", "fulton-2026-000009"} {
		p, err := b.Store.PersonByID(b.Ctx, id)
		require.NoError(t, err)
		require.False(t, p.Record(janes) != nil && p.Record("cobb-2025-000007") != nil, id)
	}

	t.Log("it can be taken back")
	requireCode(t, models.CodeNotFound, b.Store.SplitPerson(b.Ctx, r.ID, "op@example.org", "again", p.Record(janes), nil))
	requireCode(t, models.CodeNotFound, b.Store.KeepPerson(b.Ctx, r.ID, "op@example.org", "it is decided"))
	restored, err := b.Store.ReopenReport(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, 2, restored)
	_, err = b.Store.ReopenReport(b.Ctx, r.ID)
	requireCode(t, models.CodeNotFound, err)
	require.Equal(t, links, b.links(t), "as they were")
	require.Equal(t, courtLinks, b.courtLinks(t))
	pair, err = b.Store.LinkPairOf(b.Ctx, janes, "G1")
	require.NoError(t, err)
	require.Nil(t, pair.Decision, "matching may find another one again")
	again, err := b.Store.PersonByID(b.Ctx, janes)
	require.NoError(t, err)
	require.Len(t, again.Records(), 5, "with the booking that came meanwhile")
	decided, _, err := b.Store.PersonReports(b.Ctx, false, 10)
	require.NoError(t, err)
	require.Empty(t, decided)
	waiting, err := b.Store.PersonReport(b.Ctx, r.ID)
	require.NoError(t, err)
	require.Equal(t, models.ReportOpen, waiting.State)
	require.Nil(t, waiting.Grounds)
	var rows []link.PersonApart
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Find(&rows).Error)
	require.Empty(t, rows)
}

func TestReportsAreBoundedAndDecidedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, _ := b.reporting(t)
	report := func(record, note string) error {
		return b.Store.ReportPerson(b.Ctx, &models.PersonReport{Record: record, Person: "gdc-G1", AccountID: account, Reporter: "ada@example.org", Note: note})
	}
	require.NoError(t, report(janes, ""))
	requireCode(t, models.CodeConflict, report(janes, "once more"))
	requireCode(t, models.CodeInvalidParameter, report("cobb-2025-000007", strings.Repeat("long ", 120)))
	list, _, err := b.Store.PersonReports(b.Ctx, true, 10)
	require.NoError(t, err)
	requireCode(t, models.CodeInvalidParameter, b.Store.KeepPerson(b.Ctx, list[0].ID, "op@example.org", "  "))
	require.NoError(t, b.Store.KeepPerson(b.Ctx, list[0].ID, "op@example.org", "one person"))
	requireCode(t, models.CodeNotFound, b.Store.KeepPerson(b.Ctx, list[0].ID, "op@example.org", "again"))
	restored, err := b.Store.ReopenReport(b.Ctx, list[0].ID)
	require.NoError(t, err)
	require.Zero(t, restored, "the decision dismissed nothing")
	require.NoError(t, b.Store.KeepPerson(b.Ctx, list[0].ID, "op@example.org", "one person after all"))
	require.NoError(t, report(janes, "it may be reported again then"))
	_, err = b.Store.ReopenReport(b.Ctx, list[0].ID)
	requireCode(t, models.CodeConflict, err)
	for i := range 99 {
		require.NoError(t, report("made-up-"+strconv.Itoa(i), ""))
	}
	requireCode(t, models.CodeConflict, report("one-too-many", ""))
}

func TestTakingADecisionBackRestoresWhatItDismissedAndNothingElse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account, p := b.reporting(t)
	kase := b.caseID("C1", "fulton")
	split := func(record string) int64 {
		t.Helper()
		r := &models.PersonReport{Record: record, Person: "gdc-G1", AccountID: account, Reporter: "ada@example.org"}
		require.NoError(t, b.Store.ReportPerson(b.Ctx, r))
		require.NoError(t, b.Store.SplitPerson(b.Ctx, r.ID, "op@example.org", "the jail says so", p.Record(record), others(p, record)))
		return r.ID
	}
	undo := func(report int64) int {
		t.Helper()
		n, err := b.Store.ReopenReport(b.Ctx, report)
		require.NoError(t, err)
		require.NoError(t, b.Store.KeepPerson(b.Ctx, report, "op@example.org", "the jail was wrong"))
		return n
	}
	t.Log("a pair that was dismissed before stays so, and a confirmed one is confirmed again")
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, kase, "G1", models.LinkDismissed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, kase, janes, models.LinkConfirmed))
	require.Equal(t, 1, undo(split(kase)))
	require.Equal(t, []string{"C1 " + janes + " high operator"}, b.courtLinks(t))
	pair, err := b.Store.CourtPairOf(b.Ctx, kase, "G1")
	require.NoError(t, err)
	require.Equal(t, models.LinkDismissed, *pair.Decision)

	t.Log("what was decided since stays")
	report := split(janes)
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G2", models.LinkConfirmed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, kase, janes, models.LinkConfirmed))
	require.Zero(t, undo(report))
	require.Equal(t, []string{janes + " G2 high operator"}, b.links(t))

	t.Log("a record that is withheld by now has no link")
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G2", models.LinkDismissed))
	b.Add(t, linked(janes, "G1"))
	report = split(janes)
	b.Exec(t, `update corrections_records set withheld = 'restricted' where gdc_id = 'G1'`)
	require.Equal(t, 1, undo(report), "that with the case")
	require.Empty(t, b.links(t))
}
