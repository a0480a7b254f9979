package watchlist_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/watchlist"
	"rollcall/models"
)

// shown writes what was read of a line in few words.
func shown(l *watchlist.Line) string {
	w := &l.Watcher
	parts := []string{strconv.Itoa(l.Number), w.Name}
	for _, s := range []*string{w.County, w.Label, w.Note} {
		if s != nil {
			parts = append(parts, *s)
		}
	}
	if w.Dob != nil {
		parts = append(parts, w.Dob.String())
	}
	if w.BirthYear != nil {
		parts = append(parts, strconv.Itoa(*w.BirthYear))
	}
	if w.Level != nil {
		parts = append(parts, string(*w.Level))
	}
	if w.Events != nil {
		parts = append(parts, fmt.Sprint(*w.Events))
	}
	if w.Paused {
		parts = append(parts, "paused")
	}
	return strings.Join(parts, " | ")
}

func TestAListIsRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		csv  string
		want []string
	}{
		"names alone":                      {"name\nWren Moonsail\n", []string{"2 | Wren Moonsail"}},
		"any order and letter case":        {"Label,COUNTY,Name\ndesk,fulton,Wren Moonsail\n", []string{"2 | Wren Moonsail | fulton | desk"}},
		"titles of several words":          {"Name,Birth Year\nWren Moonsail,1990\n", []string{"2 | Wren Moonsail | 1990"}},
		"parts of a name":                  {"first,middle,last\nMaria,Elena,De la Cruz\n,,Li\n", []string{"2 | De la Cruz, Maria Elena", "3 | Li"}},
		"a BOM, semicolons and CRLF":       {"\ufeffname;county\r\nWren Moonsail;fulton\r\n", []string{"2 | Wren Moonsail | fulton"}},
		"tabs":                             {"name\tcounty\nMoonsail, Wren\tfulton\n", []string{"2 | Moonsail, Wren | fulton"}},
		"dates as ISO and American":        {"name,dob\nA Moonsail,1990-02-28\nB Moonsail,2/28/1990\n", []string{"2 | A Moonsail | 1990-02-28", "3 | B Moonsail | 1990-02-28"}},
		"levels, events and pause":         {"name,level,events,paused\nA Moonsail,WIDE,Booking; release,Yes\n", []string{"2 | A Moonsail | wide | [booking release] | paused"}},
		"blank lines and empty columns":    {"name,county,,\n\nA Moonsail,fulton,,\n", []string{"3 | A Moonsail | fulton"}},
		"a note of several lines":          {"name,note\nA Moonsail,\"one\ntwo\"\nB Moonsail,\n", []string{"2 | A Moonsail | one\ntwo", "4 | B Moonsail"}},
		"a quoted title and quoted values": {"\"name\",\"label\"\n\"Moonsail, Wren\",\"say \"\"hi\"\"\"\n", []string{`2 | Moonsail, Wren | say "hi"`}},
		"values made harmless":             {"name,label\n'=Wren Moonsail,'-5\n", []string{"2 | =Wren Moonsail | -5"}},
		"titles of an office's export":     {"Last Name,First Name,Middle Name,Suffix,D.O.B.,Group,Comments\nDe la Cruz,Maria,Elena,Jr,3/8/1990,desk,call\nMoonsail,Wren,,III,,,\nLi,,,Sr,,,\n,Ann,,,,,\n", []string{"2 | De la Cruz, Maria Elena Jr | desk | call | 1990-03-08", "3 | Moonsail, Wren III", "4 | Li Sr", "5 | Ann"}},
		"other titles of an export":        {"SURNAME;given_name;Year-of-Birth;TAG;Notes\nMoonsail;Wren;1990;desk;call\n", []string{"2 | Moonsail, Wren | desk | call | 1990"}},
		"a whole name by another title":    {"Defendant,Birthdate\n\"Moonsail, Wren\",03/08/1990\n", []string{"2 | Moonsail, Wren | 1990-03-08"}},
		"columns that are not known":       {"Case No,Name,SSN,=Photo\n1,Wren Moonsail,123-45-6789,\xff\x00\n", []string{"2 | Wren Moonsail"}},
		"another separator within a title": {"case, state;name;county\n1;Wren Moonsail;fulton\n", []string{"2 | Wren Moonsail | fulton"}},
		"apostrophes of names":             {"name\nD'Arcy O'Brien\n", []string{"2 | D'Arcy O'Brien"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := watchlist.Read(strings.NewReader(c.csv), watchlist.UTF8)
			require.NoError(t, err)
			require.Empty(t, l.Problems)
			var got []string
			for i := range l.Lines {
				got = append(got, shown(&l.Lines[i]))
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestColumnsThatAreNotKnownAreNamed(t *testing.T) {
	t.Parallel()
	for csv, want := range map[string]string{
		"name,county\nA,\n":                       "",
		"name, Case No \nA,1\n":                   `The column "Case No" is not known and was not read.`,
		"SSN;Last;Ren\xe9,\n1;A;\n":               "The columns \"SSN\", \"Ren\ufffd,\" are not known and were not read.",
		"name" + strings.Repeat(",x", 22) + "\nA": `"x", and 2 more are not known and were not read.`,
	} {
		l, err := watchlist.Read(strings.NewReader(csv), watchlist.UTF8)
		require.NoError(t, err, csv)
		said := watchlist.IgnoredSays(l.Ignored)
		require.True(t, said == want || want != "" && strings.HasSuffix(said, want), "%q: %s", csv, said)
	}
}

func TestAFileThatIsNoListIsRefused(t *testing.T) {
	t.Parallel()
	for csv, want := range map[string]string{
		"":                                            "the file is empty",
		"\ufeff \n":                                   "the file is empty",
		"\xff\xfen\x00a":                              "the file begins as UTF-16 and is cut off; save it as CSV UTF-8",
		"n\x00a\x00m\x00e\x00":                        "may be UTF-16 without its mark; save it as CSV UTF-8",
		"nickname,county\nA,B\n":                      `names no column name or last: its titles are "nickname", "county"; the columns are name, first, middle, last, suffix, county, dob, birth_year, age, age_on, level, events, label, note, paused`,
		"Wren Moonsail\nIda Stormcrow\n":              `names no column name or last: its titles are "Wren Moonsail"`,
		"Moonsail;Wren\nStormcrow;Ida\n":              `its titles are "Moonsail", "Wren"`,
		"county\nfulton\n":                            "names no column name or last",
		"first name,suffix\nA,Jr\n":                   "names no column name or last",
		strings.Repeat("x,", 21):                      `"x", and 2 more; the columns are`,
		"name,name\nA,B\n":                            "names the column name twice",
		"name,Notes,Comment\nA,B,C\n":                 `names the column note twice, as "Notes" and "Comment"; keep one of them`,
		"Full Name,Last Name\nA,B\n":                  `names a whole name, "Full Name", beside a part of one, "Last Name"; take either the whole or all parts out of the file`,
		"\"name\nA\n":                                 "line 1 cannot be read",
		"name|county\nA|fulton\n":                     "line 1 parts its values by |",
		strings.Repeat("x", 33<<20):                   "the file is larger than 32 MB; split it",
		"name\n" + strings.Repeat("A B\n", 1_000_000): "the file has more than 100000 names",
	} {
		l, err := watchlist.Read(strings.NewReader(csv), watchlist.UTF8)
		require.ErrorContains(t, err, want, "%.40q: %v", csv, l)
		require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), "%.40q", csv)
	}
}

func TestALineThatCannotBeTakenSaysWhyAndTheOthersAreRead(t *testing.T) {
	t.Parallel()
	for bad, want := range map[string]string{
		"Ren\xe9 Moonsail,,,,":          "the line is not UTF-8: it may be Windows-1252",
		"Wren\x00Moonsail,,,,":          "the line holds a NUL character",
		"Ren\ufffd Moonsail,,,,":        "name has a character that could not be read",
		"=HYPERLINK(A1),,,,":            "name is a formula of a spreadsheet",
		"@SUM(1),,,,":                   "name is a formula of a spreadsheet",
		"Moonsail, Wren,,,,":            "the line has 6 values and the first line names 5 columns",
		"Wren Moonsail":                 "the line has 1 value and the first line names 5 columns",
		",fulton,,,":                    "the name is empty",
		"A Moonsail,,31.12.1990,,":      `the column dob holds "31.12.1990", which is not a date; write 1990-02-28 or 02/28/1990`,
		"A Moonsail,,1990,,":            "the column dob holds \"1990\", which is not a date; write 1990-02-28 or 02/28/1990; a year alone stands in the column birth_year",
		"A Moonsail,,,ninety,":          `the column birth_year holds "ninety", which is not a whole number`,
		"A Moonsail,,,,maybe":           `the column paused holds "maybe", which is neither yes nor no`,
		`Wren "Bob" Moonsail,,,,`:       "a quote stands inside a value",
		`"Wren" Moonsail,,,,`:           "a quote is opened and not closed, or text follows it",
		"Wren Moonsail 123–45–6789,,,,": "name holds what looks like a social security number; leave it out",
		"\"Wren\nMoonsail\",,,,":        "name holds a line break, which only a note may; the values reach from line 3 to 4",
	} {
		l, err := watchlist.Read(strings.NewReader("name,county,dob,birth_year,paused\nIda Stormcrow,,,,\n"+bad+"\nÁda Tumbler,,,,\n"), watchlist.UTF8)
		require.NoError(t, err, bad)
		require.Len(t, l.Problems, 1, "%q", bad)
		require.Equal(t, 3, l.Problems[0].Line, "%q", bad)
		require.Contains(t, l.Problems[0].Message, want, "%q", bad)
		require.Len(t, l.Lines, 2, "%q: the lines around it", bad)
	}
	l, err := watchlist.Read(strings.NewReader("name\nIda Stormcrow\n\"Wren Moonsail\nÁda Tumbler\nPip Thistledown\n"), watchlist.UTF8)
	require.NoError(t, err)
	require.Len(t, l.Lines, 1)
	require.Equal(t, 3, l.Problems[0].Line)
	require.Contains(t, l.Problems[0].Message, "a quote is opened and not closed before line")
}

func FuzzEveryLineIsReadOrHasAProblem(f *testing.F) {
	f.Add("name,label\nWren Moonsail,\"a\nb\"\n")
	f.Add("name;county\n\"x")
	f.Fuzz(func(t *testing.T, csv string) {
		l, err := watchlist.Read(strings.NewReader(csv), watchlist.UTF8)
		if err != nil {
			require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), err)
			return
		}
		for _, p := range l.Problems {
			require.NotEmpty(t, p.Message)
			require.Greater(t, p.Line, 1)
		}
	})
}
