package graph_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

func TestChargesAreToldOneByOneInTheJailsOrder(t *testing.T) {
	t.Parallel()
	b := setup(t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE", Charges: []string{"BATTERY", "THEFT"}},
		testdb.Booking{ID: "fulton-2026-000002", Name: "ROE, RAY", Charges: []string{"DUI"}},
		testdb.Booking{ID: "fulton-2026-000003", Name: "POE, PAT"})
	_, err := b.db.Pool.Exec(t.Context(), `insert into booking_charges (rid, seq, description, statute, severity, bond_cents, bond_text, disposition)
 select rid, 2, 'THEFT', '', 'felony', null, 'NO BOND', 'awaiting trial' from bookings where id = 'fulton-2026-000001'
 union all select rid, 1, 'BATTERY', '16-5-23', '', 150050, '', '' from bookings where id = 'fulton-2026-000001'`)
	require.NoError(t, err)
	b.statements.take()
	data := b.data(t, `{ roster { records { id chargeDetails { description statute severity bondAmount bondText disposition } } } }`, nil)
	require.LessOrEqual(t, len(b.statements.take()), 4, "the charges of a page are one statement")
	require.JSONEq(t, `{"roster": {"records": [
 {"id": "fulton-2026-000003", "chargeDetails": []},
 {"id": "fulton-2026-000002", "chargeDetails": [{"description": "DUI", "statute": null, "severity": null, "bondAmount": null, "bondText": null, "disposition": null}]},
 {"id": "fulton-2026-000001", "chargeDetails": [
  {"description": "BATTERY", "statute": "16-5-23", "severity": null, "bondAmount": 1500.5, "bondText": null, "disposition": null},
  {"description": "THEFT", "statute": null, "severity": "felony", "bondAmount": null, "bondText": "NO BOND", "disposition": "awaiting trial"}]}]}}`, data)
}

func TestCountyStatsAreToldInTheInterfacesUnits(t *testing.T) {
	t.Parallel()
	b := setup(t, nil,
		testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE", At: "2026-03-09T12:00:00-04:00", BondCents: 123_45},
		testdb.Booking{ID: "fulton-2026-000002", Name: "ROE, RAY", At: "2026-03-09T12:00:00-04:00", Released: "2026-03-09T13:30:00-04:00"})
	require.JSONEq(t, `{"countyStats": {"county": {"slug": "fulton"}, "population": 1, "withBond": 1, "medianBond": 123.45, "released": 1, "medianHeldHours": 1.5}}`,
		b.data(t, `{ countyStats(county: "fulton", days: 7) { county { slug } population withBond medianBond released medianHeldHours } }`, nil))
	b.statements.take()
	data := b.data(t, `{ countyStats(county: "fulton", days: 731) { days { week { withBond medianBond released medianHeldHours } } } }`, nil)
	require.LessOrEqual(t, len(b.statements.take()), 2, "all days are one statement")
	require.True(t, strings.HasSuffix(data, `{"week":{"withBond":2,"medianBond":61.72,"released":1,"medianHeldHours":1.5}}]}}`), "a bond of nothing is a bond")
	require.Contains(t, data[:200], `{"days":[{"week":{"withBond":0,"medianBond":null,"released":0,"medianHeldHours":null}}`)
	require.Contains(t, b.post(t, `{ countyStats(county: "fulton", days: 3) { population } }`, nil).body, "between 7 and 731")
}
