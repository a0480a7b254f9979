package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// found is a link that matching found.
func (b *bundle) found(booking, gdcID string, c models.Confidence) models.FoundLink {
	return models.FoundLink{RID: b.bookings[booking], GdcID: gdcID, Confidence: c, Probability: 0.75, Reasons: []string{"names agree"}}
}

func TestFoundLinksReplaceThoseBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run(t, false)
	save := func(want models.LinkCounts, found ...models.FoundLink) {
		t.Helper()
		n, err := r.Save(b.Ctx, r.Due, found)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	save(models.LinkCounts{Made: 1}, b.found(janes, "G1", models.High))
	require.Equal(t, []string{janes + " G1 high matched"}, b.links(t))
	save(models.LinkCounts{}, b.found(janes, "G1", models.High))
	save(models.LinkCounts{Changed: 1}, b.found(janes, "G1", models.Low))
	save(models.LinkCounts{Made: 1}, b.found(janes, "G2", models.Low))
	require.Equal(t, []string{janes + " G2 low matched"}, b.links(t))
	save(models.LinkCounts{Removed: 1})
	require.Empty(t, b.links(t))
}

func TestNoLinkIsMadeOfWhatIsWithheldOrDismissed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run(t, false)
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G1", models.LinkDismissed))
	n, err := r.Save(b.Ctx, r.Due, []models.FoundLink{
		b.found(janes, "G1", models.High), b.found(johns, "G3", models.High), b.found("fulton-2026-000002", "G2", models.High),
	})
	require.NoError(t, err)
	require.Zero(t, n)
	require.Empty(t, b.links(t))
}

func TestAPinnedLinkIsNotUpToMatching(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run(t, false)
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G2", models.LinkConfirmed))
	n, err := r.Save(b.Ctx, r.Due, []models.FoundLink{b.found(janes, "G1", models.High)})
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, []string{janes + " G2 high operator"}, b.links(t))

	rows, err := r.Bookings(b.Ctx, r.Due)
	require.NoError(t, err)
	require.Equal(t, []models.LinkBooking{{RID: b.bookings[johns], Name: "ROE, JOHN", Born: "1975", Dismissed: []string{}}}, rows)
}

func TestFoundLinksOfCasesReplaceThoseBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run(t, false)
	jane := b.bookings[janes]
	booking := models.FoundCourtLink{CaseKey: b.cases["C1"], RID: &jane, Confidence: models.Low, Probability: 0.5, Reasons: []string{"names agree"}}
	record := models.FoundCourtLink{CaseKey: b.cases["C1"], GdcID: new("G1"), Confidence: models.Medium, Probability: 0.5, Reasons: []string{}}
	save := func(want models.LinkCounts, found ...models.FoundCourtLink) {
		t.Helper()
		n, err := r.SaveCourtLinks(b.Ctx, r.DueCases, found)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	save(models.LinkCounts{Made: 2}, booking, record)
	require.Equal(t, []string{"C1 G1 medium matched", "C1 " + janes + " low matched"}, b.courtLinks(t))
	save(models.LinkCounts{}, booking, record)
	booking.Confidence = models.High
	save(models.LinkCounts{Changed: 1, Removed: 1}, booking)
	require.Equal(t, []string{"C1 " + janes + " high matched"}, b.courtLinks(t))

	cases, err := r.CasesOfBookings(b.Ctx, []int64{jane, b.bookings[johns]})
	require.NoError(t, err)
	require.Equal(t, []int64{b.cases["C1"]}, cases)
	none, err := r.CasesOfBookings(b.Ctx, nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestNoLinkOfACaseIsMadeOfWhatIsWithheldOrDismissed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.run(t, false)
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, b.caseID("C1", "fulton"), janes, models.LinkDismissed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, b.caseID("C1", "fulton"), "G2", models.LinkConfirmed))
	jane, minor := b.bookings[janes], b.bookings["fulton-2026-000002"]
	of := func(l models.FoundCourtLink) models.FoundCourtLink {
		l.CaseKey, l.Confidence, l.Reasons = b.cases["C1"], models.Low, []string{}
		return l
	}
	n, err := r.SaveCourtLinks(b.Ctx, r.DueCases, []models.FoundCourtLink{
		of(models.FoundCourtLink{RID: &jane}), of(models.FoundCourtLink{RID: &minor}), of(models.FoundCourtLink{GdcID: new("G3")}), of(models.FoundCourtLink{GdcID: new("G1")}),
	})
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, []string{"C1 G2 high operator"}, b.courtLinks(t), "a defendant is one person: the one that is confirmed")
}
