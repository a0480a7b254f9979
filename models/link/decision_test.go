package link_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/link"
)

const (
	eventually = 10 * time.Second
	tick       = 5 * time.Millisecond
)

// linked is a link of a booking that another system made.
func linked(booking, gdcID string) testdb.Link { return testdb.Link{Booking: booking, Offender: gdcID} }

// county is the number of a county.
func (b *bundle) county(t *testing.T, slug string) int16 {
	t.Helper()
	c, err := b.Store.Counties().BySlug(slug)
	require.NoError(t, err)
	return c.ID
}

func TestADecisionTakesThePlaceOfTheOneBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	decide := func(gdcID string, v models.LinkChoice) {
		t.Helper()
		require.NoError(t, b.Store.DecideLink(b.Ctx, janes, gdcID, v))
	}
	decide("G1", models.LinkConfirmed)
	decide("G2", models.LinkConfirmed)
	require.Equal(t, []string{janes + " G2 high operator"}, b.links(t))
	var decisions []link.Decision
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Find(&decisions).Error)
	require.Len(t, decisions, 1, "one record is confirmed")
	confirmed := decisions[0]
	require.Equal(t, b.Now, confirmed.DecidedAt)

	decide("G2", models.LinkDismissed)
	require.Empty(t, b.links(t))
	decide("G2", models.LinkDismissed)
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Find(&decisions).Error)
	require.Len(t, decisions, 1)
	require.Equal(t, models.LinkDismissed, decisions[0].Decision)
	require.Greater(t, decisions[0].Seq, confirmed.Seq, "the next link run looks at it")

	for _, pair := range [][2]string{{"fulton-2026-999999", "G1"}, {janes, "G404"}} {
		requireCode(t, models.CodeNotFound, b.Store.DecideLink(b.Ctx, pair[0], pair[1], models.LinkConfirmed))
	}
}

func TestOperatorsWhoDecideAtOnceLeaveOneConfirmedRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	done := make(chan error, 8)
	for i := range cap(done) {
		go func() { done <- b.Store.DecideLink(b.Ctx, janes, []string{"G1", "G2"}[i%2], models.LinkConfirmed) }()
	}
	for range cap(done) {
		require.NoError(t, <-done)
	}
	require.Len(t, b.links(t), 1)
}

func TestADecisionIsDueInTheNextRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.finished(t)
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G1", models.LinkDismissed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, b.caseID("C2", "cobb"), johns, models.LinkDismissed))
	r := b.run(t, false)
	require.Equal(t, []int64{b.bookings[janes]}, r.Due)
	require.Equal(t, []int64{b.cases["C2"]}, r.DueCases)
}

func TestAConfirmedPairIsPinnedWhenItsEndsComeBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G1", models.LinkConfirmed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, b.caseID("C1", "fulton"), janes, models.LinkConfirmed))
	b.Exec(t, `delete from gdc_links`)
	b.Exec(t, `delete from court_links`)
	b.run(t, false)
	require.Equal(t, []string{janes + " G1 high operator"}, b.links(t))
	require.Equal(t, []string{"C1 " + janes + " high operator"}, b.courtLinks(t))
}

func TestAPairIsReadWithAllThatIsKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Add(t, linked(janes, "G2"))
	require.NoError(t, b.Store.DecideLink(b.Ctx, janes, "G1", models.LinkDismissed))
	p, err := b.Store.LinkPairOf(b.Ctx, janes, "G1")
	require.NoError(t, err)
	require.Equal(t, &models.LinkPair{
		Booking:    models.LinkBooking{RID: b.bookings[janes], Name: "DOE, JANE", Born: "1980-03-04", Dismissed: []string{"G1"}},
		Record:     models.LinkRecord{GdcID: "G1", Name: "DOE, JANE E", Born: "1980-03-04"},
		Decision:   new(models.LinkDismissed),
		Stored:     &models.StoredLink{GdcID: "G2", Confidence: models.High, Probability: p.Stored.Probability, Reasons: []string{}, Origin: models.LinkImported},
		Population: 1024,
	}, p)
	require.InDelta(t, 0.99, p.Stored.Probability, 1e-6)

	p, err = b.Store.LinkPairOf(b.Ctx, johns, "G3")
	require.NoError(t, err)
	require.True(t, p.Withheld)
	require.Equal(t, "1975", p.Booking.Born)
	require.Nil(t, p.Stored)
	require.Nil(t, p.Decision)

	_, err = b.Store.LinkPairOf(b.Ctx, "fulton-2026-999999", "G1")
	requireCode(t, models.CodeNotFound, err)
	_, err = b.Store.LinkPairOf(b.Ctx, janes, "G404")
	requireCode(t, models.CodeNotFound, err)
}

func TestACaseHasAnyNumberOfBookingsAndOneRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c1 := b.caseID("C1", "fulton")
	for _, person := range []string{janes, johns, "G1", "G2"} {
		require.NoError(t, b.Store.DecideCourtLink(b.Ctx, c1, person, models.LinkConfirmed))
	}
	require.Equal(t, []string{"C1 G2 high operator", "C1 " + johns + " high operator", "C1 " + janes + " high operator"}, b.courtLinks(t))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, c1, johns, models.LinkDismissed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, c1, "G2", models.LinkDismissed))
	require.Equal(t, []string{"C1 " + janes + " high operator"}, b.courtLinks(t))

	for _, pair := range [][2]string{{"case-cobb-" + c1[len("case-fulton-"):], janes}, {"case-fulton-999", janes}, {"C1", janes}, {c1, "G404"}} {
		requireCode(t, models.CodeNotFound, b.Store.DecideCourtLink(b.Ctx, pair[0], pair[1], models.LinkConfirmed))
		_, err := b.Store.CourtPairOf(b.Ctx, pair[0], pair[1])
		requireCode(t, models.CodeNotFound, err)
	}
}

func TestAPairOfACaseIsReadWithAllThatIsKnown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c1 := b.caseID("C1", "fulton")
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, c1, janes, models.LinkConfirmed))
	p, err := b.Store.CourtPairOf(b.Ctx, c1, janes)
	require.NoError(t, err)
	require.Equal(t, "C1", p.Number)
	require.Equal(t, "JANE DOE", p.Case.Name)
	require.Equal(t, janes, p.Stay.ID)
	require.Nil(t, p.Record)
	require.True(t, p.SameCounty)
	require.False(t, p.Withheld)
	require.Equal(t, models.LinkConfirmed, *p.Decision)
	require.Equal(t, &models.StoredLink{
		Confidence: models.High, Probability: 1, Reasons: []string{"confirmed by an operator"}, Origin: models.LinkOfOperator, Pinned: true,
	}, p.Stored)
	require.Equal(t, 1024, p.Population)

	p, err = b.Store.CourtPairOf(b.Ctx, c1, johns)
	require.NoError(t, err)
	require.False(t, p.SameCounty)
	require.Nil(t, p.Stored)
	p, err = b.Store.CourtPairOf(b.Ctx, c1, "G3")
	require.NoError(t, err)
	require.Equal(t, &models.LinkRecord{GdcID: "G3", Name: "POE, MINOR"}, p.Record)
	require.True(t, p.Withheld)
	require.Nil(t, p.Decision)
}
