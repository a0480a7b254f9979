package record_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
)

// detailed stores bookings that differ in their details.
func detailed(t *testing.T) *bundle {
	t.Helper()
	b := setup(t)
	b.Add(
		t,
		testdb.Booking{
			ID: "a", Name: "ASH, AMY", At: "2026-03-01T12:00:00Z", DOB: "1980-03-04", Charges: []string{"AGGRAVATED ASSAULT", "THEFT BY TAKING"},
			BondCents: 250_000, Agency: "Fulton County Sheriff's Office",
		},
		testdb.Booking{
			ID: "b", Name: "BIRCH, BEN", County: "ben-hill", At: "2026-03-02T12:00:00Z", BirthYear: 1995, Charges: []string{"SIMPLE ASSAULT (16-5-20)"},
			BondCents: -1, Agency: "GSP - Post 13", Released: "2026-03-09T03:59:59Z",
		},
		testdb.Booking{ID: "c", Name: "CEDAR, CAL", At: "2026-03-03T12:00:00Z", Charges: []string{}, BondCents: 50_050, Released: "2026-03-05T12:00:00Z"},
		testdb.Booking{
			ID: "d", Name: "DATE, DEE", At: "2026-03-04T12:00:00Z", DOB: "2001-12-31", Charges: []string{"BURGLARY 1ST DEGREE", "NO DRIVER'S LICENSE"},
			Agency: "FULTON CO. POLICE",
		},
		testdb.Booking{
			ID: "hidden", Name: "ASH, HID", At: "2026-03-05T12:00:00Z", DOB: "1980-01-01", Charges: []string{"AGGRAVATED ASSAULT"}, BondCents: 250_000,
			Agency: "Fulton County Sheriff's Office", Released: "2026-03-08T12:00:00Z", Withheld: "restricted",
		},
	)
	b.Exec(t, `insert into booking_charges (rid, seq, description, statute, severity)
 select rid, 1, charges[1], case id when 'a' then '16-5-21(a)' when 'd' then 'OCGA 16-7-1' when 'hidden' then '16-5-21' end,
  case id when 'a' then ' Felony' when 'b' then 'M' when 'd' then 'F' when 'hidden' then 'F' end
 from bookings where id <> 'c'`)
	return b
}

func TestBookingsByDetails(t *testing.T) {
	t.Parallel()
	b := detailed(t)
	for name, c := range map[string]struct {
		filter models.RosterFilter
		want   []string
	}{
		"words of charges begin words, in any order":      {models.RosterFilter{Charge: new("assault aggr")}, []string{"a"}},
		"a word that several charges have":                {models.RosterFilter{Charge: new("Assault")}, []string{"b", "a"}},
		"words may be those of two charges":               {models.RosterFilter{Charge: new("theft aggravated")}, []string{"a"}},
		"a part inside a word is none":                    {models.RosterFilter{Charge: new("sault")}, nil},
		"a statute among the charges":                     {models.RosterFilter{Charge: new("16-5-20")}, []string{"b"}},
		"a statute that is stated beside the description": {models.RosterFilter{Charge: new("16-7-1")}, []string{"d"}},
		"a section of a statute":                          {models.RosterFilter{Charge: new("16-5-21")}, []string{"a"}},
		"the beginning of a statute":                      {models.RosterFilter{Charge: new("16 5")}, []string{"b", "a"}},
		"a statute in another order":                      {models.RosterFilter{Charge: new("5-16")}, nil},
		"an apostrophe parts no word":                     {models.RosterFilter{Charge: new("driver's license")}, []string{"d"}},
		"one number is a word":                            {models.RosterFilter{Charge: new("1st burglary")}, []string{"d"}},
		"operators of a query mean nothing":               {models.RosterFilter{Charge: new("assault & !'(theft | :*")}, []string{"a"}},
		"signs alone find nothing":                        {models.RosterFilter{Charge: new("&|!")}, nil},
		"blanks do not narrow":                            {models.RosterFilter{Charge: new(" ")}, []string{"d", "c", "b", "a"}},
		"felonies":                                        {models.RosterFilter{Severity: new(models.Felony)}, []string{"d", "a"}},
		"misdemeanors":                                    {models.RosterFilter{Severity: new(models.Misdemeanor)}, []string{"b"}},
		"a severity that is none":                         {models.RosterFilter{Severity: new(models.Severity("grave"))}, nil},
		"words of the agency begin words, in any order":   {models.RosterFilter{Agency: new("sheriff fulton")}, []string{"a"}},
		"an agency in other letters":                      {models.RosterFilter{Agency: new("fulton co")}, []string{"d", "a"}},
		"an agency as it is written":                      {models.RosterFilter{Agency: new("Fulton County Sheriff's Office")}, []string{"a"}},
		"an agency without its signs":                     {models.RosterFilter{Agency: new("sheriffs office")}, []string{"a"}},
		"an agency with other signs":                      {models.RosterFilter{Agency: new("GSP, Post-13")}, []string{"b"}},
		"a short name with its post":                      {models.RosterFilter{Agency: new("gsp post 13")}, []string{"b"}},
		"a part inside a word of an agency is none":       {models.RosterFilter{Agency: new("lice")}, nil},
		"signs alone are no agency":                       {models.RosterFilter{Agency: new("'")}, nil},
		"blanks of an agency do not narrow":               {models.RosterFilter{Agency: new(" ")}, []string{"d", "c", "b", "a"}},
		"an agency and a charge":                          {models.RosterFilter{Agency: new("fulton"), Charge: new("burglary")}, []string{"d"}},
		"bond from, in dollars":                           {models.RosterFilter{BondFrom: new(500)}, []string{"c", "a"}},
		"bond to":                                         {models.RosterFilter{BondTo: new(500)}, []string{"d"}},
		"bond between":                                    {models.RosterFilter{BondFrom: new(1), BondTo: new(2500)}, []string{"c", "a"}},
		"born from, by date or year":                      {models.RosterFilter{BirthYearFrom: new(1995)}, []string{"d", "b"}},
		"born on a day":                                   {models.RosterFilter{Born: modelstest.Day(t, "2001-12-31")}, []string{"d"}},
		"born on another day of that year":                {models.RosterFilter{Born: modelstest.Day(t, "2001-12-30")}, nil},
		"born on a day of the only year that is stated":   {models.RosterFilter{Born: modelstest.Day(t, "1995-05-05")}, []string{"b"}},
		"born to":                      {models.RosterFilter{BirthYearTo: new(1995)}, []string{"b", "a"}},
		"released from":                {models.RosterFilter{ReleasedFrom: modelstest.Day(t, "2026-03-06")}, []string{"b"}},
		"released on a day of Georgia": {models.RosterFilter{ReleasedFrom: modelstest.Day(t, "2026-03-08"), ReleasedTo: modelstest.Day(t, "2026-03-08")}, []string{"b"}},
		"released to":                  {models.RosterFilter{ReleasedTo: modelstest.Day(t, "2026-03-05")}, []string{"c"}},
		"with a name":                  {models.RosterFilter{Name: new("ash"), Charge: new("assault"), BirthYearTo: new(1980)}, []string{"a"}},
		"with county, status and days": {models.RosterFilter{
			County: new("ben-hill"), Status: new(models.Released), FromDate: modelstest.Day(t, "2026-03-02"), ToDate: modelstest.Day(t, "2026-03-02"), Charge: new("assault"),
		}, []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, order := range []models.Order{models.OrderOwn, models.OrderRelevance} {
				page := b.Roster(t, c.filter, models.Page{Limit: 50, Order: order})
				require.Equal(t, c.want, slices.Clip(append([]string(nil), modelstest.IDs(page)...)))
				require.Equal(t, len(c.want), page.Total)
			}
			each := b.each(t, c.filter, models.OrderOwn)
			require.Equal(t, c.want, each, "an export has the same bookings")
		})
	}
}

// each returns the ids of the bookings of a filter in an order, as an export has them.
func (b *bundle) each(t *testing.T, f models.RosterFilter, o models.Order) (ids []string) {
	t.Helper()
	require.NoError(t, b.Store.EachBooking(t.Context(), f, o, func(k *models.Booking) error {
		ids = append(ids, k.ID)
		return nil
	}))
	return ids
}

func TestDetailsOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for field, f := range map[string]models.RosterFilter{
		"bond_from":       {BondFrom: new(2), BondTo: new(1)},
		"birth_year_from": {BirthYearFrom: new(2000), BirthYearTo: new(1999)},
		"released_from":   {ReleasedFrom: modelstest.Day(t, "2026-03-02"), ReleasedTo: modelstest.Day(t, "2026-03-01")},
		"charge":          {Charge: new("a b c d e f g h i")},
		"agency":          {Agency: new("a b c d e f g h i")},
	} {
		_, err := b.Store.ListBookings(t.Context(), f, models.Page{Limit: 1})
		var e *models.Error
		require.ErrorAs(t, err, &e, field)
		require.Equal(t, field, e.Field)
	}
	_, err := b.Store.ListBookings(t.Context(), models.RosterFilter{BondTo: new(-1)}, models.Page{Limit: 1})
	require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
}

func TestAnExportHasTheClosestNameFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Add(t,
		testdb.Booking{ID: "near", Name: "SMITH, JOHN", At: "2026-03-01T12:00:00Z"},
		testdb.Booking{ID: "free", Name: "SMITH, JOHN", At: "2026-03-02T12:00:00Z", Released: "2026-03-03T12:00:00Z"},
		testdb.Booking{ID: "middle", Name: "SMITH, COREY JOHN", At: "2026-03-04T12:00:00Z"},
		testdb.Booking{ID: "other", Name: "SMITHERS, ANN", At: "2026-03-05T12:00:00Z"},
		testdb.Booking{ID: "hidden", Name: "SMITH, JOHN", At: "2026-03-06T12:00:00Z", Withheld: "restricted"},
	)
	for name, want := range map[string][]string{"smith john": {"near", "free", "middle"}, "%": nil, "nobody": nil} {
		f := models.RosterFilter{Name: &name}
		require.Equal(t, want, b.each(t, f, models.OrderRelevance), name)
		require.Equal(t, want, slices.Clip(append([]string(nil), modelstest.IDs(b.Roster(t, f, models.Page{Limit: 9, Order: models.OrderRelevance}))...)))
	}
	require.Equal(t, []string{"other", "middle", "free", "near"}, b.each(t, models.RosterFilter{}, models.OrderRelevance), "without a name the newest")
}

func TestBookingsByColumn(t *testing.T) {
	t.Parallel()
	b := detailed(t)
	for order, want := range map[models.Order]string{
		models.OrderOldest: "a b c d", models.OrderName: "a b c d", models.OrderNameDown: "d c b a",
		models.OrderCounty: "b d c a", models.OrderCountyDown: "d c a b",
		models.OrderReleased: "b c d a", models.OrderReleasedOld: "c b d a",
		models.OrderBond: "a c d b", models.OrderBondLow: "d c a b",
		models.OrderCharge: "a d b c", models.OrderChargeDown: "b d a c",
	} {
		for _, f := range []models.RosterFilter{{}, {Name: new("a")}, {BirthYearTo: new(2005)}} {
			var walked []string
			p := models.Page{Limit: 3, Order: order}
			for more := true; more; {
				page := b.Roster(t, f, p)
				walked = append(walked, modelstest.IDs(page)...)
				more = page.PageInfo.HasNextPage
				end, err := page.PageInfo.EndCursor()
				require.NoError(t, err)
				p.After = *end
			}
			expected := strings.Fields(want)
			switch {
			case f.Name != nil: // BIRCH, BEN has no a
				expected = slices.DeleteFunc(expected, func(id string) bool { return id == "b" })
			case f.BirthYearTo != nil: // of CEDAR, CAL no birth is known
				expected = slices.DeleteFunc(expected, func(id string) bool { return id == "c" })
			}
			require.Equal(t, expected, walked, "%s %+v", order, f)
			require.Equal(t, expected, b.each(t, f, order), "an export, %s %+v", order, f)
		}
	}
}

// Details have their indexes: on many rows no list that is narrowed by one reads all bookings.
func TestDetailsUseTheirIndexes(t *testing.T) {
	t.Parallel()
	db, store, seen := manyRecords(
		t,
		`update bookings set charges = array['THEFT C' || rid % 400], bond_cents = rid * 100, agency = 'Post ' || rid % 300,
 dob = date '1950-01-01' + (rid % 18000)::int,
 released_at = case when released_at is not null then booked_at + interval '3 hours' end`,
		`insert into booking_charges (rid, seq, description, statute, severity)
 select rid, 1, 'THEFT', '16-' || rid % 50 || '-' || rid % 37, case when rid % 200 = 0 then 'Felony' else 'Misdemeanor' end from bookings`,
		`vacuum`,
	)
	for name, c := range map[string]struct {
		filter models.RosterFilter
		index  string
	}{
		"a charge":  {models.RosterFilter{Charge: new("theft c77")}, "bookings_charge_words"},
		"an agency": {models.RosterFilter{Agency: new("post 77")}, "bookings_agency_words"},
		"a statute": {models.RosterFilter{Charge: new("16-7-33")}, "booking_charges_statute"},
		"felonies":  {models.RosterFilter{Severity: new(models.Felony)}, "booking_charges_severity"},
		"a bond":    {models.RosterFilter{BondFrom: new(100), BondTo: new(300)}, "bookings_bond"},
		"a birth":   {models.RosterFilter{BirthYearFrom: new(1970), BirthYearTo: new(1970)}, "bookings_birth_year"},
		"a release": {models.RosterFilter{ReleasedFrom: modelstest.Day(t, "2025-10-01"), ReleasedTo: modelstest.Day(t, "2025-10-03")}, "bookings_released"},
	} {
		t.Run(name, func(t *testing.T) { //nolint:paralleltest // they share the tracer
			page, err := store.ListBookings(t.Context(), c.filter, models.Page{Limit: 50})
			require.NoError(t, err)
			require.NotZero(t, page.Total)
			plan := explained(t, db, seen)
			require.Contains(t, plan, c.index, plan)
			require.NotContains(t, plan, "Seq Scan on bookings", plan)
		})
	}
	t.Run("a part of a case number", func(t *testing.T) { //nolint:paralleltest // they share the tracer
		page, err := store.ListCourtCases(t.Context(), models.CourtFilter{CaseNumberPart: new("3999")}, models.Page{Limit: 50})
		require.NoError(t, err)
		require.Equal(t, 14, page.Total, "N3999, N13999, N23999, N33999, and N39990 to N39999")
		plan := explained(t, db, seen)
		require.Contains(t, plan, "court_cases_number_part", plan)
		require.NotContains(t, plan, "Seq Scan on court_cases", plan)
	})
}
