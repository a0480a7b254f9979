package ingest_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest"
	"rollcall/models/source"
)

// The texts of clerks where an age or a birth date belongs, of a booking in January 2026, and what becomes of the person.
var (
	agesAsWritten = map[string][]string{
		"juvenile": {
			"16Y 3M", "16y3m", "16.5", "16.0", "Age 16", "AGE: 16", "16 y.o.", "16 Y/O", "16/M", "M16", "M/16", "16 M", "16'", "016", "16 years, 3 months", "16 years old", "16-year-old",
			"15 (JUV)", "JUV", "Juvenile", "juv.", "MINOR", "under 17", "<17", "under 16", "child",
		},
		"maybe juvenile": {"16-17", "١٦", "sixteen", "under 18", "17 or under", "4O", "163", "1 6", "Not a juvenile", "200 months", "60 mo", "X", "XX", "2010", "-16", "18-", "SEE FILE", "18 or 19"},
		"":               {"", "0", "00", "-", "--", "N/A", "n.a.", "Unknown", "UNK", "None", "not available", "/", "-1", "999", "126", "2025", "40", "40Y 3M", "Age 40", "40.5", "40/M", "34 (W/F)", "25-30", "30's", "40 approx.", "Adult", "18+", "over 21", "1986", "17", "17 yrs"},
	}
	birthsAsWritten = map[string][]string{
		"juvenile": {"JUV", "Juvenile", "minor"},
		"maybe juvenile": {
			"20100512", "5-May-10", "05MAY10", "051210", "51210", "5122010", "05122010", "May-10", "MAY 2010", "12.05.2010", "5/12/2010 00:00", "Aug 10, 2010", "5/12/2O10", "10-05-12", "2010-5", "201005", "May 5, '10",
			"XX/XX/2010", "00/00/2010", "40310", "10", "13/44/2011", "soon", "XX/XX/XXXX", "I986", "########", "09/09/2026", "09/09/2026 10:00", "5-May-09", "16 yrs",
		},
		"": {
			"", "0", "00/00/0000", "0000-00-00", "-", "/ /", "__/__/____", "N/A", "Unknown", "NOT AVAILABLE", "12/31/9999 00:00", "0001-01-01T00:00:00", "5-May-86", "10-May-86", "05MAY86", "19860512", "051286", "05121986", "51286",
			"31500", "12/25/86 00:00", "May 86", "MAY 5 1986", "1986-05-12T00:00:00.000Z", "XX/XX/1972", "13/44/1986", "03/04/2986", "5-May-08", "198605", "86", "01/02/03 04:05",
		},
	}
)

func TestGuarantee11WhatCanNotBeReadOfAnAgeOrABirthDateWithholds(t *testing.T) {
	t.Parallel()
	source, err := ingest.Parse([]byte(births))
	require.NoError(t, err)
	ask := func(dob, age string) string {
		p, err := source.Preview("x.csv", fmt.Appendf(nil, "id,name,booked,dob,age\nK1,\"MOONSAIL, ORLA\",2026-01-05,%q,%q\n", dob, age), someCounties(), time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		require.Empty(t, p.Bad, "%q %q", dob, age)
		require.Len(t, p.Rows, 1)
		if textOf(p.Rows[0], "withheld") == "maybe juvenile" && (dob == "" || age == "") {
			require.NotEmpty(t, p.Left, "%q %q is counted", dob, age)
		}
		return textOf(p.Rows[0], "withheld")
	}
	for want, texts := range agesAsWritten {
		for _, age := range texts {
			require.Equal(t, want, ask("", age), "age %q", age)
			beside := ""
			if want == "juvenile" {
				beside = "maybe juvenile" // the source contradicts itself
			}
			require.Equal(t, beside, ask("05/12/1986", age), "age %q beside the birth date of an adult", age)
			require.Equal(t, "juvenile", ask("05/12/2010", age), "age %q beside the birth date of a child", age)
		}
	}
	for want, texts := range birthsAsWritten {
		for _, dob := range texts {
			require.Equal(t, want, ask(dob, ""), "birth date %q", dob)
			require.Equal(t, "juvenile", ask(dob, "16"), "birth date %q beside the age of a child", dob)
		}
	}
	for _, c := range []struct{ name, dob, age, want string }{
		{"one reading agrees with the age of an adult", "10.05.86", "39", ""},
		{"one of several agrees with it", "10.5.02", "23", ""},
		{"none agrees with it", "5-May-10", "40", "maybe juvenile"},
		{"no reading at all, and the age of an adult", "soon", "40", ""},
		{"no reading at all, and an age that is none", "soon", "4O", "maybe juvenile"},
		{"only readings of adults, and an age that is none", "5-May-86", "4O", "maybe juvenile"},
		{"only readings of adults, and no age", "5-May-86", "Unknown", ""},
	} {
		require.Equal(t, c.want, ask(c.dob, c.age), c.name)
	}
}

func TestGuarantee11StepsDoNotHideAChild(t *testing.T) {
	t.Parallel()
	digits, err := ingest.Parse([]byte(strings.Replace(births, "age: age", "age: {from: age, steps: [digits]}", 1)))
	require.NoError(t, err)
	shipped, err := ingest.Load("common-csv")
	require.NoError(t, err)
	for age, want := range map[string]string{"16Y 3M": "juvenile", "16.5": "juvenile", "JUV": "juvenile", "16-17": "maybe juvenile", "34 yrs": "", "(34)": "", "Unknown": "", "": ""} {
		p, err := digits.Preview("x.csv", []byte("id,name,booked,dob,age\nK1,\"MOONSAIL, ORLA\",2026-03-08,,"+age+"\n"), someCounties(), seen)
		require.NoError(t, err)
		require.Equal(t, want, textOf(p.Rows[0], "withheld"), age)
		p, err = shipped.Preview("x.csv", []byte(strings.Join(shipped.Decode.Columns, ",")+"\nClarke,2026-03-09 06:30:00 EST,,A1,MOONSAIL,ORLA,,,,"+age+",,,2026-03-08,,,,,DUI,,$500,,,,,\n"), someCounties(), seen)
		require.NoError(t, err)
		require.Equal(t, want, textOf(p.Rows[0], "withheld"), age)
	}
}

func TestGuarantee11CasesAndOffendersOfDoubtfulAgeAreWithheld(t *testing.T) {
	t.Parallel()
	source, err := ingest.Parse([]byte(`id: cases
title: Cases
kind: courts
county: clarke
publish: {policy: delta, absence: nothing}
decode: {format: csv}
fields:
  case: {number: number, court_type: {const: superior}, defendant: name, filed: {from: filed, layouts: [2006-01-02]}, dob: {from: dob, layouts: [01/02/2006]}}
`))
	require.NoError(t, err)
	for dob, want := range map[string]string{"5-May-10": "maybe juvenile", "JUV": "juvenile", "5-May-86": "", "Unknown": ""} {
		p, err := source.Preview("x.csv", []byte("number,name,filed,dob\n26-1,\"MOONSAIL, ORLA\",2026-03-08,"+dob+"\n"), someCounties(), seen)
		require.NoError(t, err)
		require.Empty(t, p.Bad)
		said := fmt.Sprint(p.Rows[0]["case"])
		require.Equal(t, want != "", strings.Contains(said, "withheld:"+want) && strings.Contains(said, "withheld"), dob)
	}
	source, err = ingest.Parse([]byte(`id: offenders
title: Offenders
kind: corrections
publish: {policy: full_roster, absence: nothing}
decode: {format: csv}
fields:
  offender: {id: id, name: name, birth_year: year}
`))
	require.NoError(t, err)
	for year, want := range map[string]string{"10": "maybe juvenile", "2010.0": "maybe juvenile", "'10": "maybe juvenile", "MINOR": "juvenile", "1986": "", "86": "", "0": ""} {
		p, err := source.Preview("x.csv", []byte("id,name,year\n100,\"MOONSAIL, ORLA\","+year+"\n"), someCounties(), seen)
		require.NoError(t, err)
		require.Equal(t, want, textOf(p.Rows[0], "withheld"), year)
	}
}

func TestGuarantee11NoTextOfAnAgePublishesAChild(t *testing.T) {
	t.Parallel()
	b := setup(t)
	source, err := ingest.Parse([]byte(births))
	require.NoError(t, err)
	var rows strings.Builder
	rows.WriteString("id,name,booked,dob,age\n")
	for i := range 200 {
		fmt.Fprintf(&rows, "A%d,\"QUILLFEATHER, WREN%s\",2026-01-05,,40\n", i, strings.Repeat("A", i%7+1)+string(rune('A'+i/7)))
	}
	hidden := 0
	for column, texts := range map[string]map[string][]string{"%q,": birthsAsWritten, ",%q": agesAsWritten} {
		for want, list := range texts {
			for i, text := range list {
				if want != "" {
					hidden++
					fmt.Fprintf(&rows, "%s%d-%d,\"MOONSAIL, ORLA\",2026-01-05,"+column+"\n", want[:3], i, strings.Index(column, ","), text)
				}
			}
		}
	}
	r := b.runSource(source, "x.csv", rows.String(), day)
	require.Equal(t, []int{200 + hidden, hidden, 0}, []int{r.New, r.Withheld, r.Quarantined}, r.String())
	require.Equal(t, 200, one[int](b, `select count(*) from published_bookings where name like 'QUILL%'`))
	require.Equal(t, 0, one[int](b, `select count(*) from published_bookings where name like 'MOON%'`))
	require.Equal(t, 0, one[int](b, `select count(*) from changes where name like 'MOON%'`))
	require.NotContains(t, r.String(), "MAY", "the texts themselves are not told")
}

func TestASourceWhoseAgesCanNotBeReadAnyMoreIsHeldAndOneOfWhichNoneEverCouldSaysSo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	src, err := ingest.Parse([]byte(births))
	require.NoError(t, err)
	text := func(n int, age string) string {
		var rows strings.Builder
		rows.WriteString("id,name,booked,dob,age\n")
		for i := range n {
			fmt.Fprintf(&rows, "K%d,\"MOONSAIL, ORLA\",2026-01-05,,%s\n", i, strings.ReplaceAll(age, "n", strconv.Itoa(20+i)))
		}
		return rows.String()
	}
	half := strings.Replace(text(10, "n"), ",29\n", ",29\nL,\"VOLE, ANN\",2026-01-05,,4O\n", 1)
	r := b.runSource(src, "a.csv", half, day)
	require.Equal(t, []int{11, 1}, []int{r.New, r.Withheld}, r.String())
	r = b.runSource(src, "b.csv", text(10, "[n] 1")+"L,\"VOLE, ANN\",2026-01-05,,40\n", day.AddDate(0, 0, 1))
	require.Equal(t, source.RunHeld, r.State, r.String())
	require.Contains(t, r.Note, "rows have an age or a birth date that can not be read, before it were 1 of 11")
	require.Equal(t, 10, one[int](b, `select count(*) from published_bookings`), "nobody vanishes")

	other, err := ingest.Parse([]byte(strings.Replace(births, "id: births", "id: others", 1)))
	require.NoError(t, err)
	r = b.runSource(other, "c.csv", text(10, "group n 1"), day)
	require.Equal(t, []int{10, 10}, []int{r.New, r.Withheld}, r.String())
	require.Contains(t, r.Note, "10 of 10 rows have an age or a birth date that can not be read: withheld until reviewed")
}
