package person_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/resolve/person"
)

// ref reads a record as tests write it: b1 is a booking, c1 a case, o1 a corrections record.
func ref(text string) models.RecordRef {
	family := map[byte]models.Family{'b': models.Roster, 'c': models.Courts, 'o': models.Corrections}[text[0]]
	return models.RecordRef{Family: family, Key: int64(text[1] - '0')}
}

func refsOf(refs []models.RecordRef) string {
	var out []string
	for _, r := range refs {
		letter := map[models.Family]string{models.Roster: "b", models.Courts: "c", models.Corrections: "o"}[r.Family]
		out = append(out, letter+string(rune('0'+r.Key)))
	}
	return strings.Join(out, " ")
}

func edgesOf(edges []person.Edge) string {
	var out []string
	for _, e := range edges {
		out = append(out, refsOf([]models.RecordRef{e.A})+"-"+refsOf([]models.RecordRef{e.B})+":"+string(e.Confidence))
	}
	return strings.Join(out, " ")
}

// graphOf returns what reads edges of records, such as "b1-o1:high". Each read has them in another order.
func graphOf(text string) func([]models.RecordRef) ([]person.Edge, error) {
	return func(refs []models.RecordRef) (found []person.Edge, _ error) {
		for edge := range strings.FieldsSeq(text) {
			pair, confidence, _ := strings.Cut(edge, ":")
			e := person.Edge{A: ref(pair[:2]), B: ref(pair[3:]), Confidence: models.Confidence(confidence)}
			if confidence == "apart" {
				e.Confidence, e.Apart = "", true
			}
			if slices.Contains(refs, e.A) || slices.Contains(refs, e.B) {
				found = append(found, e)
			}
		}
		rand.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
		return found, nil
	}
}

func TestSureLinksAloneMakeAPerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edges, start, records, links, possible string }{
		"a record alone":                            {"", "b1", "b1", "", ""},
		"a booking and its state record":            {"b1-o1:high", "b1", "o1 b1", "o1-b1:high", ""},
		"bookings of one state record":              {"b1-o1:high b2-o1:high", "b2", "o1 b1 b2", "o1-b1:high o1-b2:high", ""},
		"names alone join nothing":                  {"b1-o1:low b1-b2:low", "b1", "b1", "", "b1-o1:low b1-b2:low"},
		"nor does a name with a year":               {"b1-o1:medium", "b1", "b1", "", "b1-o1:medium"},
		"what is possible leads no further":         {"b1-o1:low o1-b2:high", "b1", "b1", "", "b1-o1:low"},
		"the surest comes first":                    {"b1-c1:low b1-o1:medium", "b1", "b1", "", "b1-o1:medium b1-c1:low"},
		"of two links of one pair the surer counts": {"b1-b2:low b2-b1:high", "b1", "b1 b2", "b1-b2:high", ""},
		"a link that is not sure between two records of one person": {
			"c1-b1:low c1-o1:high b1-o1:high", "c1", "o1 c1 b1", "o1-c1:high o1-b1:high c1-b1:low", "",
		},
		"a chain": {"b1-o1:high o1-c1:high c1-b2:high b2-b3:high", "b3", "o1 c1 b1 b2 b3", "o1-c1:high o1-b1:high c1-b2:high b2-b3:high", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 { // in any order of the edges
				found, err := person.Gather([]models.RecordRef{ref(c.start)}, graphOf(c.edges))
				require.NoError(t, err)
				require.Len(t, found, 1)
				require.Equal(t, c.records, refsOf(found[0].Records))
				require.Equal(t, c.links, edgesOf(found[0].Links))
				require.Equal(t, c.possible, edgesOf(found[0].Possible))
				require.False(t, found[0].Cut)
			}
		})
	}
}

func TestRecordsThatAreKeptApartAreTwoPeople(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edges, start, records, possible string }{
		"a sure link is none then":           {"b1-o1:high b1-o1:apart", "b1", "b1", ""},
		"nor is it possible":                 {"b1-b2:low b1-b2:apart", "b1", "b1", ""},
		"no third record joins them":         {"b1-b2:high b2-b3:high b1-b3:apart", "b1", "b1 b2", ""},
		"whichever is asked for":             {"b1-b2:high b2-b3:high b1-b3:apart", "b3", "b3", ""},
		"one record of several":              {"b1-b2:high b1-b3:high b2-b3:high b1-b3:apart b2-b3:apart", "b1", "b1 b2", ""},
		"which is by itself":                 {"b1-b2:high b1-b3:high b2-b3:high b1-b3:apart b2-b3:apart", "b3", "b3", ""},
		"others are possible still":          {"b1-b2:low b1-b3:low b1-b3:apart", "b1", "b1", "b1-b2:low"},
		"two people of several records each": {"b1-o1:high b2-o2:high b1-b2:high o1-o2:apart", "b1", "o1 b1", ""},
		"seen from the other side":           {"b1-o1:high b2-o2:high b1-b2:high o1-o2:apart", "o2", "o2 b2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 5 {
				found, err := person.Gather([]models.RecordRef{ref(c.start)}, graphOf(c.edges))
				require.NoError(t, err)
				require.Equal(t, c.records, refsOf(found[0].Records))
				require.Equal(t, c.possible, edgesOf(found[0].Possible))
			}
		})
	}
}

func TestEveryRecordFindsTheSamePerson(t *testing.T) {
	t.Parallel()
	edges := graphOf("b1-o1:high o1-c1:high c1-b2:high b2-b3:low b3-o2:high")
	for _, start := range []string{"b1", "o1", "c1", "b2"} {
		found, err := person.Gather([]models.RecordRef{ref(start)}, edges)
		require.NoError(t, err)
		require.Equal(t, "o1 c1 b1 b2", refsOf(found[0].Records), start)
	}
	t.Log("several are found at once, each once, in the order that was asked for")
	found, err := person.Gather([]models.RecordRef{ref("b3"), ref("b2"), ref("o1")}, edges)
	require.NoError(t, err)
	require.Len(t, found, 2)
	require.Equal(t, "o2 b3", refsOf(found[0].Records))
	require.Equal(t, "b3-b2:low", edgesOf(found[0].Possible))
	require.Equal(t, "o1 c1 b1 b2", refsOf(found[1].Records))
	require.Equal(t, "b2-b3:low", edgesOf(found[1].Possible), "it is possible for both")
}

func TestAPersonOfTooManyRecordsIsCut(t *testing.T) {
	t.Parallel()
	star := func(confidence models.Confidence) func([]models.RecordRef) ([]person.Edge, error) {
		return func([]models.RecordRef) (found []person.Edge, _ error) {
			for i := range int64(person.MaxRecords + 10) {
				found = append(found, person.Edge{A: ref("o1"), B: models.RecordRef{Family: models.Roster, Key: i}, Confidence: confidence})
			}
			return found, nil
		}
	}
	found, err := person.Gather([]models.RecordRef{ref("o1")}, star(models.High))
	require.NoError(t, err)
	require.Len(t, found[0].Records, person.MaxRecords)
	require.True(t, found[0].Cut)
	found, err = person.Gather([]models.RecordRef{ref("o1")}, star(models.Low))
	require.NoError(t, err)
	require.Len(t, found[0].Possible, person.MaxRecords)
	require.True(t, found[0].Cut)

	t.Log("a chain ends, and says so")
	found, err = person.Gather([]models.RecordRef{{Family: models.Roster, Key: 1}}, func(refs []models.RecordRef) ([]person.Edge, error) {
		r := refs[0]
		return []person.Edge{{A: r, B: models.RecordRef{Family: r.Family, Key: r.Key + 1}, Confidence: models.High}}, nil
	})
	require.NoError(t, err)
	require.Less(t, len(found[0].Records), 20)
	require.True(t, found[0].Cut)

	_, err = person.Gather([]models.RecordRef{ref("o1")}, func([]models.RecordRef) ([]person.Edge, error) { return nil, errors.New("timed out") })
	require.ErrorContains(t, err, "timed out")
}

func TestBookingsAreComparedByNameAndBirth(t *testing.T) {
	t.Parallel()
	const population = 50_000
	for name, c := range map[string]struct {
		a, bornA, b, bornB string
		numbered           bool
		want               models.Confidence // empty: nothing joins them
	}{
		"the same name and birth date":       {"ABERNETHY, QUENTIN ELIAS", "1980-03-04", "Quentin E Abernethy", "1980-03-04", false, models.High},
		"a frequent name and its birth date": {"SMITH, JOHN", "1980-03-04", "SMITH, JOHN", "1980-03-04", false, models.High},
		"a year alone":                       {"ABERNETHY, QUENTIN", "1980", "ABERNETHY, QUENTIN", "1980", false, models.Medium},
		"a name alone":                       {"ABERNETHY, QUENTIN", "", "ABERNETHY, QUENTIN", "", false, models.Low},
		"twins":                              {"ABERNETHY, QUENTIN", "1980-03-04", "ABERNETHY, ZOLA", "1980-03-04", false, ""},
		"father and son":                     {"ABERNETHY, QUENTIN SR", "1950-03-04", "ABERNETHY, QUENTIN JR", "1980-07-21", false, ""},
		"another birth date":                 {"ABERNETHY, QUENTIN", "1980-03-04", "ABERNETHY, QUENTIN", "1961-07-30", false, ""},
		"one number of the jail":             {"ABERNETHY, QUENTIN", "", "ABERNATHY, Q", "", true, models.High},
		"one number and births that differ":  {"ABERNETHY, QUENTIN", "1980-03-04", "DOE, JANE", "1961-07-30", true, models.Low},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := &models.LinkFace{Key: 1, Name: c.a, Born: c.bornA}, &models.LinkFace{Key: 2, Name: c.b, Born: c.bornB}
			e, ok := person.CompareBookings(a, b, c.numbered, population)
			require.Equal(t, c.want != "", ok, "%+v", e)
			other, also := person.CompareBookings(b, a, c.numbered, population)
			require.Equal(t, ok, also)
			if ok {
				require.Equal(t, c.want, e.Confidence, e.Reasons)
				require.NotEmpty(t, e.Reasons)
				require.Equal(t, e, other, "in either order")
			}
		})
	}
	e, ok := person.CompareBookings(&models.LinkFace{Key: 1, Name: "SMITH, JOHN", Born: "1980-03-04"}, &models.LinkFace{Key: 2, Name: "SMITH, JOHN", Born: "1980-03-04"}, false, 10_000_000)
	require.True(t, ok)
	require.False(t, e.Sure(), "among ten million people two of that name share a birth date: %+v", e)
}

func TestAPersonSumsUpItsRecords(t *testing.T) {
	t.Parallel()
	day := func(text string) *models.Date {
		d, err := models.ParseDate(text)
		require.NoError(t, err)
		return &d
	}
	booking := func(id, at, name string, born *models.Date) *models.PersonRecord {
		booked := day(at).In(models.Georgia)
		return &models.PersonRecord{Booking: &models.Booking{ID: id, Name: name, Dob: born, BookingDate: booked, Status: models.Released}}
	}
	old, fresh := booking("cobb-2024-000001", "2024-05-01", "DOE, JANE", day("1980-03-04")), booking("fulton-2026-000002", "2026-02-01", "Doe, Jane Q", day("1980-03-04"))
	p := models.NewPerson([]*models.PersonRecord{fresh, old}, nil, nil, false)
	require.Equal(t, "cobb-2024-000001", p.ID, "the earliest booking")
	require.Equal(t, "DOE, JANE", p.Name)
	require.Equal(t, []string{"Doe, Jane Q"}, p.OtherNames)
	require.Equal(t, day("1980-03-04"), p.Dob)
	require.Equal(t, models.Released, *p.Status())
	require.Equal(t, "fulton-2026-000002", p.Stays[0].ID, "newest first")

	fresh.Booking.Status = models.Booked
	year := 1980
	offender := &models.PersonRecord{Corrections: &models.CorrectionsRecord{GdcID: "1000412", Name: "DOE,  JANE", BirthYear: &year}}
	p = models.NewPerson([]*models.PersonRecord{fresh, offender, old}, nil, nil, false)
	require.Equal(t, "gdc-1000412", p.ID, "the state record before all bookings")
	require.Equal(t, []string{"Doe, Jane Q"}, p.OtherNames, "blanks make no other name")
	require.Equal(t, models.Booked, *p.Status())
	require.Equal(t, 1980, *p.BirthYear)

	old.Booking.Dob = day("1980-04-03")
	p = models.NewPerson([]*models.PersonRecord{fresh, offender, old}, nil, nil, false)
	require.Nil(t, p.Dob, "two that differ are none")
	require.Equal(t, 1980, *p.BirthYear)
	p = models.NewPerson([]*models.PersonRecord{offender}, nil, nil, false)
	require.Nil(t, p.Status())
	require.Nil(t, p.NextHearing())
}
