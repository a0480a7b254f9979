package corpus_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// fact is what is published of a person, or ought to be: the parts that the shape states, of which each may be older than the
// others.
type fact map[string]string

func (f fact) String() string {
	var out []string
	for _, part := range slices.Sorted(maps.Keys(f)) {
		out = append(out, part+" "+f[part])
	}
	return strings.Join(out, ", ")
}

// facts is what is published of everybody, by name.
type facts map[string]fact

// name is how two spellings of a name are one: a suffix may stand behind the last or the first name.
func name(text string) string {
	words := strings.Fields(strings.NewReplacer(",", " ", ".", " ").Replace(strings.ToUpper(text)))
	if i := slices.Index(words, "JR"); i >= 0 {
		words = append(slices.Delete(words, i, i+1), "JR")
	}
	return strings.Join(words, " ")
}

// wanted is what is to be published of those whom the source has listed until a snapshot.
func (c *trial) wanted(snapshot int) facts {
	out := facts{}
	for _, p := range c.people(snapshot) {
		if p.N == child && c.shape.States.Age() {
			continue
		}
		out[c.key(p)] = c.want(p)
	}
	return out
}

// key is the name of a person as the shape states it.
func (c *trial) key(p person) string {
	key := p.Last + " " + p.First
	if c.shape.States.Middle == "full" {
		key += " " + p.Middle
	}
	if c.shape.States.Suffix {
		key += " " + p.Suffix
	}
	return name(key)
}

func (c *trial) want(p person) fact {
	in := p.in() || c.shape.Lists == intake && c.shape.Also == nil
	charges := len(p.Charges)
	if c.source.Kind == "courts" {
		charges = 10*charges + 1 // the hearing
	}
	return c.fact(p.Booked, int64(p.Bond)*100, charges, in)
}

// fact is what is known of a stay.
func (c *trial) fact(booked time.Time, cents int64, charges int, in bool) fact {
	f, s := fact{"state": "out"}, c.shape.States
	if in {
		f["state"] = "in"
	}
	switch booked = booked.In(models.Georgia); s.Booked {
	case "minute":
		f["booked"] = booked.Format("2006-01-02 15:04")
	case "day":
		f["booked"] = booked.Format("2006-01-02")
	}
	if s.Bond {
		f["bond"] = strconv.FormatInt(max(cents, 0)/100, 10)
	}
	if s.Charges {
		f["charges"] = strconv.Itoa(charges)
	}
	return f
}

// published is what readers see.
func (c *trial) published() facts {
	c.Helper()
	rows, err := c.db.Pool.Query(c.Context(), queries[c.source.Kind], c.args())
	require.NoError(c, err)
	defer rows.Close()
	out := facts{}
	for rows.Next() {
		var who string
		var booked time.Time
		var in bool
		var cents int64
		var charges int
		require.NoError(c, rows.Scan(&who, &booked, &in, &cents, &charges))
		key := name(who)
		for out[key] != nil {
			key += " (again)"
		}
		out[key] = c.fact(booked, cents, charges, in)
	}
	require.NoError(c, rows.Err())
	return out
}

// queries read what is published, by the kind of source. Of a case the booking is its filing, and out is closed; of an offender out
// is released. They name county and days too, or numbers, as there is no index of sources.
var queries = map[string]string{
	"roster": `select name, booked_at, released_at is null, coalesce(bond_cents, 0), cardinality(charges)
 from published_bookings where source_id in (@source, @scope) and county_id = @county and booked_at between @from and @until order by rid`,
	"courts": `select defendant, coalesce(filed_date, '1900-01-01')::timestamp at time zone 'America/New_York', status <> 'closed', 0::bigint,
 (select count(*)::int from case_charges k where k.case_id = c.id) * 10 + (select count(*)::int from hearings h where h.case_id = c.id and not h.cancelled)
 from published_cases c where source_id in (@source, @scope) and county_id = @county and (filed_date is null or filed_date between @from::timestamptz::date and @until::timestamptz::date) order by id`,
	"corrections": `select name, coalesce(release_date, '1900-01-01')::timestamp at time zone 'America/New_York', status <> 'released', 0::bigint, 1
 from published_corrections where source_id = @source and gdc_id between @number || '00000' and @number || '99999' order by cid`,
}

// args are what the queries name.
func (c *trial) args() pgx.NamedArgs {
	args := pgx.NamedArgs{"source": c.source.ID, "number": fmt.Sprintf("%03d", c.nth), "from": c.begin.AddDate(0, 0, -apart*2/3), "until": c.begin.AddDate(0, 0, apart/3)}
	if county := c.store.Counties().Find(c.shape.County); county != nil {
		args["scope"], args["county"] = models.ScopeID(c.source.ID, county.Slug), county.ID
	}
	return args
}

// differs says what is published that is not so, or not published that is; empty if all is as it should be.
func (c *trial) differs(snapshot int) string {
	c.Helper()
	want, got := c.wanted(snapshot), c.published()
	var out []string
	for _, who := range slices.Sorted(maps.Keys(want)) {
		if got[who].String() != want[who].String() {
			out = append(out, fmt.Sprintf("%s: want %q, got %q", who, want[who], got[who]))
		}
	}
	for _, who := range slices.Sorted(maps.Keys(got)) {
		if want[who] == nil {
			out = append(out, fmt.Sprintf("%s: want nothing, got %q", who, got[who]))
		}
	}
	return strings.Join(out, "\n")
}

// wrong lists what is published that no good snapshot until the second one says: who is shown released or booked
// who is not, and facts that nobody stated. A fact that was blank is unknown of those who are new.
func (c *trial) wrong(blank string) []string {
	c.Helper()
	before, after, got := c.wanted(0), c.wanted(1), c.published()
	var out []string
	for _, who := range slices.Sorted(maps.Keys(got)) {
		if after[who] == nil {
			out = append(out, fmt.Sprintf("%s is not known: %s", who, got[who]))
			continue
		}
		for part, text := range got[who] {
			unknown := part == blank && before[who] == nil
			if was, ok := before[who][part]; text != after[who][part] && (!ok || text != was) && !unknown {
				out = append(out, fmt.Sprintf("%s: %s %s", who, part, text))
			}
		}
	}
	for _, who := range slices.Sorted(maps.Keys(before)) {
		if got[who] == nil {
			out = append(out, who+" is not published any more")
		}
	}
	return out
}

// events lists what watchers were told that did not happen: bookings of people who were in jail before, releases of
// people who are, bonds that did not change. A bond that was blank of those who are new is known later.
func (c *trial) events(blank string) []string {
	c.Helper()
	rows, err := c.db.Pool.Query(c.Context(), `select kind, name from changes where id > $3 and source_id in ($1, $2) and rid is not null order by id`,
		c.source.ID, c.args()["scope"], c.since)
	require.NoError(c, err)
	defer rows.Close()
	happened := map[string]bool{}
	for _, p := range c.people(2) {
		key := c.key(p)
		booked := comes[p.N] > 0 || c.begin.Sub(p.Booked) <= 36*time.Hour // by the first snapshot
		happened["booking "+key] = booked
		happened["release "+key] = leaves[p.N] > 0 || c.shape.Lists == releases && booked
		happened["bond_change "+key] = p.N == raised || p.N == charged || blank == "bond" && comes[p.N] > 0
	}
	var out []string
	for rows.Next() {
		var kind, who string
		require.NoError(c, rows.Scan(&kind, &who))
		if event := kind + " " + name(who); !happened[event] {
			out = append(out, event)
		}
	}
	require.NoError(c, rows.Err())
	return out
}
