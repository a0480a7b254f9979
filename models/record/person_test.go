package record_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// quentin stores two people of one name: one with bookings in two counties, a state record and a case whose booking number
// the court names; and a namesake. A third one, whose birth nobody states, is a booking that may be either's.
func (b *bundle) quentin(t *testing.T) {
	t.Helper()
	b.Add(
		t,
		testdb.Booking{ID: "cobb-2024-000001", Name: "ABERNETHY, QUENTIN", County: "cobb", DOB: "1980-03-04", At: "2024-05-01T12:00:00-04:00", Released: "2024-05-02T12:00:00-04:00"},
		testdb.Booking{ID: "fulton-2026-000001", Name: "Abernethy, Quentin E", DOB: "1980-03-04", At: "2026-03-01T12:00:00-05:00"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "ABERNETHY, QUENTIN", DOB: "1961-07-30", At: "2026-03-02T12:00:00-05:00"},
		testdb.Booking{ID: "fulton-2026-000003", Name: "ABERNETHY, QUENTIN", At: "2026-02-02T12:00:00-05:00"},
		testdb.Booking{ID: "fulton-2026-000004", Name: "ABERNETHY, QUENTIN E", DOB: "1980-03-04", Withheld: "restricted"},
		testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN ELIAS", DOB: "1980-03-04"},
		testdb.Case{Number: "C1", Defendant: "ABERNETHY, QUENTIN", Hearings: []testdb.Hearing{{Date: "2026-03-20", Time: "09:30"}}},
		testdb.Case{Number: "C2", Defendant: "ABERNETHY, QUENTIN"},
		testdb.Link{Booking: "cobb-2024-000001", Offender: "G1"}, testdb.Link{Booking: "fulton-2026-000003", Offender: "G1", Confidence: "low"},
		testdb.Link{Booking: "fulton-2026-000004", Offender: "G1"},
		testdb.CourtLink{Case: "C1", Booking: "fulton-2026-000001", Confidence: "high"}, testdb.CourtLink{Case: "C2", Booking: "fulton-2026-000001"},
	)
}

func stays(p *models.Person) (ids []string) {
	for _, b := range p.Stays {
		ids = append(ids, b.ID)
	}
	return ids
}

func possible(p *models.Person) (ids []string) {
	for _, l := range p.Possible {
		ids = append(ids, l.FromID()+" "+l.ToID()+" "+string(l.Confidence))
	}
	return ids
}

func TestAPersonIsFoundByEachOfItsRecords(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quentin(t)
	cases := b.keys(t, models.Courts)
	one, err := b.Store.CourtCasesByKeys(b.Ctx, cases)
	require.NoError(t, err)
	c1, c2 := one[cases[0]].ID(), one[cases[1]].ID()
	for _, id := range []string{"cobb-2024-000001", "fulton-2026-000001", "gdc-G1", "G1", c1} {
		p, err := b.Store.PersonByID(b.Ctx, id)
		require.NoError(t, err, id)
		require.Equal(t, "gdc-G1", p.ID)
		require.Equal(t, []string{"fulton-2026-000001", "cobb-2024-000001"}, stays(p), "joined by the birth date, newest first: %s", id)
		require.Equal(t, "ABERNETHY, QUENTIN ELIAS", p.Name)
		require.Equal(t, []string{"ABERNETHY, QUENTIN", "Abernethy, Quentin E"}, p.OtherNames)
		require.Equal(t, "1980-03-04", p.Dob.String())
		require.Equal(t, models.Booked, *p.Status())
		require.Len(t, p.Cases, 1)
		require.Equal(t, at(t, "2026-03-20T09:30:00-04:00").In(models.Georgia), *p.NextHearing())
		require.Len(t, p.Sentences, 1)
		require.Equal(t, []string{"gdc-G1 fulton-2026-000003 low", "fulton-2026-000001 " + c2 + " low"}, possible(p), "names join nothing")
		require.Len(t, p.Links, 3)
		for _, l := range p.Links {
			require.Equal(t, models.High, l.Confidence)
		}
		require.False(t, p.Cut)
	}
	namesake, err := b.Store.PersonByID(b.Ctx, "fulton-2026-000002")
	require.NoError(t, err)
	require.Equal(t, "fulton-2026-000002", namesake.ID)
	require.Len(t, namesake.Stays, 1)
	require.Empty(t, namesake.Possible)
	for _, id := range []string{"fulton-2026-000004", "fulton-2026-999999", "gdc-G9", "case-fulton-99"} {
		_, err := b.Store.PersonByID(b.Ctx, id)
		requireCode(t, models.CodeNotFound, err)
	}

	t.Log("a record that is withheld later is at no person")
	b.Exec(t, `update corrections_records set withheld = 'juvenile'`)
	p, err := b.Store.PersonByID(b.Ctx, "fulton-2026-000001")
	require.NoError(t, err)
	require.Equal(t, "cobb-2024-000001", p.ID, "the earliest booking now")
	require.Empty(t, p.Sentences)
	require.Len(t, p.Stays, 2)
}

func TestOneNumberOfAJailJoinsBookings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Add(
		t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "DOE, JANE"}, testdb.Booking{ID: "fulton-2026-000002", Name: "ROE, JANE"},
		testdb.Booking{ID: "fulton-2026-000003", Name: "POE, MINOR", Withheld: "juvenile"}, testdb.Booking{ID: "fulton-2026-000004", Name: "LOE, ANN"},
	)
	b.Exec(t, `update roster_claims set person_key = 'P1' where key <> 'fulton-2026-000004'`)
	p, err := b.Store.PersonByID(b.Ctx, "fulton-2026-000002")
	require.NoError(t, err)
	require.Equal(t, []string{"fulton-2026-000002", "fulton-2026-000001"}, stays(p))
	require.Equal(t, []string{"the jail uses one number for both"}, p.Links[0].Reasons)
}

func TestPeopleOfANameAreListedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.quentin(t)
	b.Add(t, testdb.Offender{GdcID: "G2", Name: "ABERNETHY, ROSE"}, testdb.Case{Number: "C3", Defendant: "ABERNETHY, OPAL"})
	page := models.Page{Limit: 50}
	ids := func(p *models.PeoplePage) (all []string) {
		for _, one := range p.People {
			all = append(all, one.Name)
		}
		return all
	}
	all, err := b.Store.People(b.Ctx, models.PeopleFilter{Name: "abernethy"}, page)
	require.NoError(t, err)
	names := []string{"ABERNETHY, QUENTIN", "ABERNETHY, QUENTIN ELIAS", "ABERNETHY, QUENTIN", "ABERNETHY, ROSE", "ABERNETHY, QUENTIN", "ABERNETHY, OPAL"}
	require.Equal(t, names, ids(all), "the latest booked first, then state records, then cases; one that is linked by its name alone is by itself")
	require.False(t, all.PageInfo.HasNextPage)

	t.Log("pages follow each other, and nobody is listed twice")
	var paged []string
	for at := (models.Page{Limit: 1}); ; {
		part, err := b.Store.People(b.Ctx, models.PeopleFilter{Name: "abernethy"}, at)
		require.NoError(t, err)
		for _, one := range part.People {
			paged = append(paged, one.ID)
		}
		if !part.PageInfo.HasNextPage {
			break
		}
		end, err := part.PageInfo.EndCursor()
		require.NoError(t, err)
		at.After = *end
	}
	var whole []string
	for _, one := range all.People {
		whole = append(whole, one.ID)
	}
	require.Equal(t, whole, paged)

	cobb := "cobb"
	there, err := b.Store.People(b.Ctx, models.PeopleFilter{Name: "abernethy", County: &cobb}, page)
	require.NoError(t, err)
	require.Equal(t, []string{"ABERNETHY, QUENTIN ELIAS"}, ids(there), "with all of the person's records")
	require.Len(t, there.People[0].Stays, 2)
	for _, name := range []string{"", "%"} {
		none, err := b.Store.People(b.Ctx, models.PeopleFilter{Name: name}, page)
		require.NoError(t, err)
		require.Empty(t, none.People)
		require.False(t, none.PageInfo.HasNextPage)
	}
	_, err = b.Store.People(b.Ctx, models.PeopleFilter{Name: "a"}, models.Page{Limit: 1, After: "made up"})
	requireCode(t, models.CodeInvalidParameter, err)
}

func TestTheClosestNameIsTheFirstOfPeople(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Add(
		t,
		testdb.Booking{ID: "fulton-2026-000001", Name: "SMITH, JOHN", At: "2026-01-01T00:00:00Z"},
		testdb.Booking{ID: "fulton-2026-000002", Name: "SMITH, ALLEN JOHN", At: "2026-02-01T00:00:00Z"},
		testdb.Booking{ID: "fulton-2026-000003", Name: "SMITHSON, JOHN", At: "2026-03-01T00:00:00Z"},
		testdb.Offender{GdcID: "G1", Name: "SMITH, BEN JOHN"}, testdb.Offender{GdcID: "G2", Name: "SMITH, JOHN"},
	)
	for _, limit := range []int{1, 50} {
		var names []string
		for at := (models.Page{Limit: limit}); ; {
			part, err := b.Store.People(b.Ctx, models.PeopleFilter{Name: "john smith"}, at)
			require.NoError(t, err)
			for _, one := range part.People {
				names = append(names, one.Name)
			}
			if !part.PageInfo.HasNextPage {
				break
			}
			end, err := part.PageInfo.EndCursor()
			require.NoError(t, err)
			at.After = *end
		}
		require.Equal(t, []string{"SMITH, JOHN", "SMITHSON, JOHN", "SMITH, ALLEN JOHN", "SMITH, JOHN", "SMITH, BEN JOHN"}, names)
	}
}
