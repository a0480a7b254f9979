package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models"
)

// withholding is a source whose document withholds people of an age that nobody states.
func withholding(t *testing.T, id string, more ...string) *ingest.Source {
	t.Helper()
	return sourceWith(t, id, append([]string{
		"confirmations: 1}", "confirmations: 1, unknown_age: withhold}", "columns: [id, name, booked, bond]", "columns: [id, name, booked, bond, born, age, minor]",
		"bond: bond}", "bond: bond, juvenile: minor}", "person: {name: name}", "person: {name: name, age: age, dob: {from: born, layouts: ['01/02/2006', '2006']}}",
	}, more...)...)
}

func agedList(rows ...string) string {
	return "id,name,booked,bond,born,age,minor\n" + strings.Join(rows, "\n") + "\n#end\n"
}

func TestGuarantee11AnAgeThatNobodyStatesWithholdsWhereTheDocumentSaysSo(t *testing.T) {
	t.Parallel()
	const row = `A1,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,`
	for name, c := range map[string]struct{ says, why string }{
		"nothing":                       {",,", "maybe juvenile"},
		"a birth date of an adult":      {"07/11/1985,,", "public"},
		"a year of birth of an adult":   {"1985,,", "public"},
		"the age of an adult":           {",40,", "public"},
		"a flag that says no":           {",,N", "public"},
		"a flag that says yes":          {",,Y", "juvenile"},
		"a birth date of a juvenile":    {"03/05/2010,,", "juvenile"},
		"a text that no layout can fit": {"unclear,,", "maybe juvenile"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.runSource(withholding(t, "county-a"), "a.csv", agedList(row+c.says), day)
			require.Equal(t, []string{"MOONSAIL, CARL " + c.why}, b.hiding())
		})
	}
}

func TestAnAgeThatNobodyStatedIsKnownOnceAnybodyStatesIt(t *testing.T) {
	t.Parallel()
	const row = `A1,"MOONSAIL, CARL",2026-01-05 23:50,$`
	hidden, public := []string{"MOONSAIL, CARL maybe juvenile"}, []string{"MOONSAIL, CARL public"}
	begin := func(t *testing.T) (*bundle, *ingest.Source) {
		t.Helper()
		b, s := setup(t), withholding(t, "county-a")
		b.runSource(s, "a.csv", agedList(row+"1.00,,,"), day)
		require.Equal(t, hidden, b.hiding())
		require.Zero(t, one[int](b, `select count(*) from changes`), "nobody hears of it")
		return b, s
	}
	t.Run("the source itself, by a row", func(t *testing.T) {
		t.Parallel()
		b, s := begin(t)
		b.runSource(s, "a.csv", agedList(row+"1.00,,40,"), day.Add(time.Hour))
		require.Equal(t, public, b.hiding())
		b.runSource(s, "a.csv", agedList(row+"2.00,,,"), day.Add(2*time.Hour))
		require.Equal(t, public, b.hiding(), "an age that was stated stays known")
	})
	t.Run("another source of the booking", func(t *testing.T) {
		t.Parallel()
		for _, says := range []string{"1985,,", "07/11/1985,,", ",40,"} {
			b, s := begin(t)
			b.runSource(withholding(t, "county-b"), "b.csv", agedList(`B7,"MOONSAIL, CARL",2026-01-05 23:50,$1.00,`+says), day.Add(time.Hour))
			require.Equal(t, public, b.hiding(), says)
			b.runSource(s, "a.csv", agedList(row+"2.00,,,"), day.Add(2*time.Hour))
			require.Equal(t, public, b.hiding(), says)
		}
	})
	t.Run("an operator", func(t *testing.T) {
		t.Parallel()
		b, s := begin(t)
		require.NoError(t, b.store.Review(t.Context(), one[string](b, `select id from bookings`), models.ReviewLifted, "desk", "of age"))
		b.runSource(s, "a.csv", agedList(row+"2.00,,,"), day.Add(time.Hour))
		require.Equal(t, public, b.hiding())
	})
	t.Run("nobody, but the document says publish again", func(t *testing.T) {
		t.Parallel()
		b, _ := begin(t)
		b.runSource(withholding(t, "county-a", ", unknown_age: withhold", ""), "a.csv", agedList(row+"1.00,,,"), day.Add(time.Hour))
		require.Equal(t, public, b.hiding())
	})
	t.Run("nobody, and the person is released", func(t *testing.T) {
		t.Parallel()
		b, s := begin(t)
		b.runSource(s, "a.csv", agedList(`A2,"QUILLFEATHER, WREN",2026-01-06 10:00,$1.00,,40,`), day.Add(time.Hour))
		require.Equal(t, append(hidden, "QUILLFEATHER, WREN public"), b.hiding())
	})
}

func TestUnknownAgesAreWithheldOfRostersOnly(t *testing.T) {
	t.Parallel()
	_, err := ingest.Parse([]byte("id: c\ntitle: c\nkind: courts\ncounty: fulton\npublish: {policy: delta, absence: nothing, unknown_age: withhold}\n"))
	require.ErrorContains(t, err, "publish.unknown_age: withhold is for kind roster")
}
