package link_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/link"
)

func TestTheFirstRunAndAnInterruptedOneLookAtEverything(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 2 { // the first does not finish
		r, err := b.Store.BeginLinkRun(b.Ctx, false)
		require.NoError(t, err)
		require.True(t, r.Full)
		require.Equal(t, 2, r.Records)
		require.Equal(t, 1024, r.Population)
		require.Empty(t, r.Versions)
		require.Len(t, r.Due, 3)
		require.Len(t, r.DueCases, 2)
		r.Close()
	}
	b.finished(t)
	var p link.Progress
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Take(&p).Error)
	require.False(t, p.Unfinished)
	require.EqualValues(t, 1024, p.Population)

	r := b.run(t, false)
	require.False(t, r.Full)
	require.Empty(t, r.Due)
	require.Empty(t, r.DueCases)
}

func TestARunThatIsAskedToLooksAtEverything(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.finished(t)
	r := b.run(t, true)
	require.True(t, r.Full)
	require.Len(t, r.Due, 3)
}

func TestOnlyWhatChangedIsDue(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.finished(t)
	b.change(t, models.Roster, `update bookings set bond_cents = 1, gen = $1 where id = '`+johns+`'`)
	b.change(t, models.Courts, `update court_cases set judge = 'J', gen = $1 where case_number = 'C2'`)
	b.change(t, models.Corrections, `update corrections_records set name = 'ROE, JANET', gen = $1 where gdc_id = 'G2'`)

	r := b.run(t, false)
	require.Equal(t, []int64{b.bookings[johns]}, r.Due)
	require.Equal(t, []int64{b.cases["C2"]}, r.DueCases)
	require.ElementsMatch(t, []models.LinkRecord{{GdcID: "G2", Name: "DOE, JANET"}, {GdcID: "G2", Name: "ROE, JANET"}}, r.Versions)
	var known link.LinkedRecord
	require.NoError(t, b.Store.Gorm().WithContext(b.Ctx).Take(&known, "gdc_id = ?", "G2").Error)
	require.Equal(t, link.LinkedRecord{CID: b.records["G2"], GdcID: "G2", Name: "ROE, JANET"}, known)
}

func TestARecordThatIsWithheldIsAChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.finished(t)
	b.change(t, models.Corrections, `update corrections_records set withheld = 'juvenile', gen = $1 where gdc_id = 'G1'`)
	r := b.run(t, false)
	require.Equal(t, []models.LinkRecord{{GdcID: "G1", Name: "DOE, JANE E", Born: "1980-03-04"}}, r.Versions)
}

func TestOneRunWaitsForAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.Store.BeginLinkRun(b.Ctx, false)
	require.NoError(t, err)
	began := make(chan error, 1)
	go func() {
		second, err := b.Store.BeginLinkRun(b.Ctx, false)
		if err == nil {
			second.Close()
		}
		began <- err
	}()
	require.Eventually(t, func() bool {
		var waiting bool
		err := b.Pool.QueryRow(b.Ctx, `select exists (select from pg_locks where locktype = 'advisory' and not granted
			and database = (select oid from pg_database where datname = current_database()))`).Scan(&waiting)
		return err == nil && waiting
	}, eventually, tick)
	require.Empty(t, began)
	first.Close()
	require.NoError(t, <-began)
}

func TestPeopleAreReadAsMatchingComparesThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `update roster_claims set number = 'B77' from bookings b where b.rid = record and b.id = $1`, janes)
	b.Exec(t, `insert into booking_charges (rid, seq, description, statute) select rid, 1, 'BURGLARY 1ST', '16-7-1' from bookings where id = $1`, janes)
	b.Add(t, linked(janes, "G1"))
	r := b.run(t, false)
	jane := models.LinkFace{Key: b.bookings[janes], County: b.county(t, "fulton"), Name: "DOE, JANE", Born: "1980-03-04"}
	john := models.LinkFace{Key: b.bookings[johns], County: b.county(t, "cobb"), Name: "ROE, JOHN", Born: "1975"}

	var records []models.LinkRecord
	require.NoError(t, r.EachRecord(b.Ctx, func(rec *models.LinkRecord) { records = append(records, *rec) }))
	require.Equal(t, []models.LinkRecord{{GdcID: "G1", Name: "DOE, JANE E", Born: "1980-03-04"}, {GdcID: "G2", Name: "DOE, JANET"}}, records)

	var bookings []models.LinkBooking
	require.NoError(t, r.EachBooking(b.Ctx, func(l *models.LinkBooking) { bookings = append(bookings, *l) }))
	require.ElementsMatch(t, []models.LinkBooking{
		{RID: jane.Key, Name: jane.Name, Born: jane.Born}, {RID: john.Key, Name: john.Name, Born: john.Born},
	}, bookings)

	faces, err := r.Faces(b.Ctx, r.Due)
	require.NoError(t, err)
	require.ElementsMatch(t, []models.LinkFace{jane, john}, faces)
	var here []models.LinkFace
	require.NoError(t, r.EachStay(b.Ctx, jane.County, func(f *models.LinkFace) { here = append(here, *f) }))
	require.Equal(t, []models.LinkFace{jane}, here)

	stays, err := r.Stays(b.Ctx, r.Due)
	require.NoError(t, err)
	require.Len(t, stays, 2)
	require.Equal(t, &models.LinkStay{
		RID: jane.Key, ID: janes, Name: jane.Name, Born: jane.Born, Charges: []string{"BURGLARY", "16-7-1 BURGLARY 1ST"}, Numbers: []string{"B77"},
		GdcID: new("G1"), GdcBorn: new("1980-03-04"), GdcConfidence: new(models.High),
	}, stays[jane.Key])
	require.Nil(t, stays[john.Key].GdcID)
}

func TestCasesAreReadAsMatchingComparesThem(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Exec(t, `insert into case_charges (case_id, seq, description, statute) select id, 1, 'THEFT', '16-8-2' from court_cases where case_number = 'C1'`)
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, b.caseID("C1", "fulton"), "G2", models.LinkDismissed))
	require.NoError(t, b.Store.DecideCourtLink(b.Ctx, b.caseID("C1", "fulton"), janes, models.LinkDismissed))
	r := b.run(t, false)

	cases, err := r.Cases(b.Ctx, r.DueCases)
	require.NoError(t, err)
	require.Len(t, cases, 2)
	require.Contains(t, cases, models.LinkCase{
		Key: b.cases["C1"], County: b.county(t, "fulton"), Name: "JANE DOE", Born: "1980-03-04", Booking: "B77", Offenses: []string{"BURGLARY", "16-8-2 THEFT"},
		DismissedRoster: []string{janes}, DismissedGdc: []string{"G2"},
	})
	var all, here []string
	require.NoError(t, r.EachCase(b.Ctx, nil, func(f *models.LinkFace) { all = append(all, f.Name) }))
	require.ElementsMatch(t, []string{"JANE DOE", "JOHN ROE"}, all)
	require.NoError(t, r.EachCase(b.Ctx, []int16{b.county(t, "cobb")}, func(f *models.LinkFace) { here = append(here, f.Name) }))
	require.Equal(t, []string{"JOHN ROE"}, here)

	sorted, err := r.ByCounty(b.Ctx, []int64{b.cases["C1"], b.cases["C2"]})
	require.NoError(t, err)
	require.Equal(t, []int64{b.cases["C2"], b.cases["C1"]}, sorted, "Cobb comes before Fulton")
}
