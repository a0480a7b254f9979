package takeover_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
)

// jail is a feed of the county that is taken over; its rows are number, name, birth date and time of booking.
const jail = `id: county-jail
title: The jail of a county
kind: roster
county: ben-hill
publish: {policy: full_roster, absence: nothing}
decode: {format: csv, columns: [id, name, born, booked]}
fields:
  booking: {number: id, booked_at: {from: booked, layouts: ['2006-01-02 15:04']}}
  person: {name: name, dob: {from: born, layouts: ['2006-01-02']}}
identity: {booking: [{of: [booking.number], strength: source}]}
`

// reads reads rows of the jail.
func (b *bundle) reads(rows ...string) {
	b.Helper()
	source, err := ingest.Parse([]byte(jail))
	require.NoError(b, err)
	b.write(map[string]string{"jail.csv": "id,name,born,booked\n" + strings.Join(rows, "\n") + "\n"})
	r, err := b.runner.Run(b.Context(), source, ingest.Input{Files: []string{filepath.Join(b.dir, "jail.csv")}})
	require.NoError(b, err)
	require.Zero(b, r.Quarantined, r.String())
}

// before is a roster file of the system before; rows are id, name, birth date and time of booking.
func before(rows ...string) map[string]string {
	var b strings.Builder
	b.WriteString("id,name,dob,county,booking_date,release_date,charges,bond_amount,status\n")
	for _, row := range rows {
		f := strings.Split(row, "|")
		b.WriteString(f[0] + `,"` + f[1] + `",` + f[2] + ",Ben Hill," + f[3] + ",,DUI,,booked\n")
	}
	return map[string]string{"roster/ben-hill.csv": b.String()}
}

// standing tells why each booking is withheld, or that it is public.
const standing = `select string_agg(source_id || ' ' || name || ': ' || coalesce(withheld::text, 'public'), '; ' order by source_id, name, id) from bookings`

func TestWhoMayBeAJuvenileOfAFeedIsWithheldWhenTakenOver(t *testing.T) {
	t.Parallel()
	b := setup(t, before(
		"ben-hill-2026-000011|MOONSAIL, CARL||2026-01-06T08:00:00-05:00",
		"ben-hill-2026-000012|MOONSAIL, CARL|1985-07-11|2026-01-06T08:00:00-05:00",
		"ben-hill-2026-000013|MOONSAIL, CARL||2026-01-08T08:00:00-05:00",
		"ben-hill-2026-000014|BRACKENRIDGE, PIP||2026-01-06T08:00:00-05:00",
	))
	b.reads(`A1,"MOONSAIL, CARL",2010-03-05,2026-01-05 23:50`)
	require.Equal(t, 1, b.takes().Families[0].Withheld)
	const want = "county-jail MOONSAIL, CARL: juvenile; takeover-roster BRACKENRIDGE, PIP: public; takeover-roster MOONSAIL, CARL: maybe juvenile; takeover-roster MOONSAIL, CARL: public; takeover-roster MOONSAIL, CARL: public"
	require.Equal(t, want, b.text(standing))
	require.Equal(t, "ben-hill-2026-000011 of county-jail", b.text(`select b.id || ' of ' || h.source_id from bookings b join bookings h on h.rid = b.because_booking`))
	b.takes()
	require.Equal(t, want, b.text(standing), "taken over once more")

	pending, _, err := b.im.Store.Reviews(t.Context(), false, "", 10)
	require.NoError(t, err)
	require.Len(t, pending, 1)
	require.Equal(t, "ben-hill-2026-000011", pending[0].ID)
}

func TestAJuvenileThatIsTakenOverWithholdsWhomAFeedTellsOf(t *testing.T) {
	t.Parallel()
	b := setup(t, before("ben-hill-2026-000011|MOONSAIL, CARL|2010-03-05|2026-01-05T23:50:00-05:00"))
	b.reads(`A1,"MOONSAIL, CARL",,2026-01-05 23:55`, `A2,"THISTLEDOWN, PIP",,2026-01-05 23:55`)
	b.takes()
	require.Equal(t, "county-jail MOONSAIL, CARL: maybe juvenile; county-jail THISTLEDOWN, PIP: public; takeover-roster MOONSAIL, CARL: juvenile", b.text(standing))
}

func TestOnlyAddressesOfTheWebAreTakenOverAsLinks(t *testing.T) {
	t.Parallel()
	line, _, _ := strings.Cut(files["courts.jsonl"], "\n")
	line = strings.Replace(strings.Replace(line, `"hearing_link":null`, `"hearing_link":"javascript:alert(1)"`, 1), `"zoom_link":null`, `"zoom_link":"https://court.example/j/1"`, 1)
	b := setup(t, map[string]string{"courts.jsonl": line + "\n" + strings.Replace(strings.Replace(line, "2026-CR/000123 A", "2026-CR-2", 1), "https://court.example/j/1", "data:text/html,x", 1) + "\n"})
	report := b.takes()
	require.True(t, report.OK())
	require.Equal(t, map[string]int{"hearing_link: is no http or https address": 2, "hearings.zoom_link: is no http or https address": 1}, report.Families[2].LeftOut)
	require.Equal(t, "0 of 2; https://court.example/j/1 of 2", b.text(`select (select count(hearing_link) || ' of ' || count(*) from court_cases) || '; ' || (select max(link) || ' of ' || count(*) from hearings)`))
}
