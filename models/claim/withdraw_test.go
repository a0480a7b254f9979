package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// In whichever family a record is hidden, the answers that show it are given no more.
func TestHidingARecordForgetsTheAnswersThatShowIt(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	account := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, account))
	offender := func(id string, withheld models.WithheldReason) *snapshot.CorrectionsRow {
		row := modelstest.Offender("LEE", "incarcerated", withheld, b.Now)
		row.GDCID = id
		return row
	}
	kase := func(number string, withheld models.WithheldReason) *snapshot.CourtRow {
		return &snapshot.CourtRow{
			CaseKey: snapshot.CaseKey{CountyID: fulton.ID, CourtType: "state", Number: number, Party: "1"}, Whole: true, SeenAt: b.Now, Line: 1,
			Fingerprint: []byte(number + string(withheld)),
			Case:        &snapshot.CaseFacts{Defendant: "ROE, RAY", Offense: "THEFT", Filed: models.Date{Year: 2026, Month: 2, Day: 1}, Status: "pending", Withheld: withheld},
		}
	}
	read := func(withheld models.WithheldReason) {
		_, _, err := b.Store.ReconcileCourts(b.Ctx, b.Reconciler(t, "court", b.Now, false), modelstest.Each([]*snapshot.CourtRow{kase("A", withheld), kase("B", "")}))
		require.NoError(t, err)
		_, _, err = b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", b.Now, false), modelstest.Each([]*snapshot.CorrectionsRow{offender("1000412", withheld), offender("1000999", "")}))
		require.NoError(t, err)
	}
	read("")
	shows := map[string][]string{"hidden offender": {"1000412"}, "other offender": {"1000999"}, "nothing": nil}
	for key, number := range map[string]string{"hidden case": "A", "other case": "B"} {
		cases, err := b.Store.CourtCasesByNumber(b.Ctx, number, nil, nil)
		require.NoError(t, err)
		shows[key] = []string{cases[0].ID()}
	}
	for key, ids := range shows {
		_, claim, err := b.Store.BeginIdempotent(b.Ctx, account.ID, key, []byte("request"))
		require.NoError(t, err)
		require.NoError(t, b.Store.FinishIdempotent(b.Ctx, claim, models.KeptAnswer{Status: 200, Body: []byte(`{"record":{"name":"ROE, RAY"}}`), Shows: ids}))
	}
	b.Now = b.Now.Add(3600e9)
	read("juvenile")
	for key := range shows {
		kept, _, err := b.Store.BeginIdempotent(b.Ctx, account.ID, key, []byte("request"))
		require.NoError(t, err)
		require.Equal(t, key != "hidden offender" && key != "hidden case", kept != nil, key)
	}
}

// A record may be hidden after an answer read it and before the answer is kept.
func TestAnAnswerThatShowsAHiddenRecordIsNotKept(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	account := &models.Account{Name: "Desk", Email: "desk@example.org", Plan: models.Enterprise}
	require.NoError(t, b.Store.CreateAccount(b.Ctx, account))
	read := func(withheld models.WithheldReason) {
		row := modelstest.Offender("LEE", "incarcerated", withheld, b.Now)
		_, _, err := b.Store.ReconcileCorrections(b.Ctx, b.Reconciler(t, "prison", b.Now, false), modelstest.Each([]*snapshot.CorrectionsRow{row}))
		require.NoError(t, err)
	}
	answer := models.KeptAnswer{Status: 200, Body: []byte(`{"name":"DOE, JANE"}`), Shows: []string{"1000412"}}
	for _, withheld := range []models.WithheldReason{"", models.WithheldJuvenile} {
		_, claim, err := b.Store.BeginIdempotent(b.Ctx, account.ID, "key"+string(withheld), []byte("request"))
		require.NoError(t, err)
		read(withheld)
		require.NoError(t, b.Store.FinishIdempotent(b.Ctx, claim, answer))
		kept, _, err := b.Store.BeginIdempotent(b.Ctx, account.ID, "key"+string(withheld), []byte("request"))
		require.NoError(t, err)
		require.Equal(t, withheld == "", kept != nil, withheld)
	}
}
