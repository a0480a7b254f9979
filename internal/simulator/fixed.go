package simulator

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// corrections is shape F23: a line of fixed width for each sentence, the person's fields repeated.
var corrections = shape{
	endpoints: []endpoint{
		{"GET /corrections-fixed/offenders.txt", always, serveCorrections},
		{"GET /corrections-fixed/{file}", never, servePhotograph},
	},
	sorry: "The requested file is being prepared.\n", media: "text/plain",
}

// column is one field of the line; start counts from 1.
type column struct{ start, length int }

// The columns of the file. Years, months and days stand in a row between minimum release and probation; a sentence for
// life has 9999 years. Behind the published columns stands the name of the photograph. The line is 299 letters long.
var (
	colID, colLast, colFirst, colMiddle   = column{1, 8}, column{9, 18}, column{27, 12}, column{39, 12}
	colSuffix, colRace, colSex, colBirth  = column{51, 3}, column{54, 30}, column{84, 30}, column{114, 8}
	colPlace, colFlag, colCause           = column{122, 8}, column{130, 1}, column{131, 20}
	colOffenseCounty, colSentenceCounty   = column{151, 4}, column{155, 4}
	colCode, colCharge, colOffense        = column{159, 4}, column{163, 8}, column{171, 74}
	colCompleted, colConcurrent, colGiven = column{245, 1}, column{246, 2}, column{248, 8}
	colMaximum, colMinimum                = column{256, 8}, column{264, 8}
	colYears, colMonths, colDays          = column{272, 4}, column{276, 2}, column{278, 2}
	colProbation, colPhotograph           = column{280, 8}, column{288, 12}
)

const fixedWidth = 299

// plain are the letters that the department's machine does not have.
var plain = strings.NewReplacer("Ñ", "N", "É", "E")

// serveCorrections writes the whole file. Layout moves every column by two letters.
func serveCorrections(v *view, w http.ResponseWriter, _ query) {
	var file bytes.Buffer
	for _, o := range v.offenders {
		for _, s := range o.Sentences {
			line := fixedLine(o, s)
			if v.has(Layout) {
				line = append([]byte("S1"), line...)
			}
			file.Write(append(line, '\n'))
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=us-ascii")
	attach(w, "offenders_"+v.at.Format("20060102_150405")+".txt")
	_, _ = w.Write(file.Bytes())
}

// fixedLine writes one sentence. An unknown day of birth is 0000, which is no date.
func fixedLine(o Offender, s Sentence) []byte {
	line := bytes.Repeat([]byte{' '}, fixedWidth)
	put := func(c column, text string) {
		copy(line[c.start-1:c.start-1+c.length], plain.Replace(text))
	}
	name, birth := o.Name.Upper(), o.Birth.Format("20060102")
	if o.YearOnly {
		birth = o.Birth.Format("2006") + "0000"
	}
	put(colID, o.GDC)
	put(colLast, name.Last)
	put(colFirst, name.First)
	put(colMiddle, name.Middle)
	put(colSuffix, name.Suffix)
	put(colRace, strings.ToUpper(raceWord(o.Race)))
	put(colSex, strings.ToUpper(sexWord(o.Sex)))
	put(colBirth, birth)
	put(colPlace, o.Place)
	put(colFlag, string(o.Location))
	put(colCause, o.Cause)
	put(colOffenseCounty, countyCode(s.OffenseCounty))
	put(colSentenceCounty, countyCode(s.SentenceCounty))
	put(colCode, s.Code)
	put(colCharge, s.Statute)
	put(colOffense, s.Offense)
	put(colCompleted, map[bool]string{true: "Y", false: "N"}[s.Completed])
	put(colConcurrent, s.Concurrent)
	put(colGiven, fixedDay(s.Sentenced))
	put(colMaximum, fixedDay(s.MaxRelease))
	put(colMinimum, fixedDay(s.MinRelease))
	put(colProbation, fixedDay(s.Probation))
	put(colPhotograph, offenderPhotograph(o))
	if s.Life() {
		put(colYears, "9999")
		return line
	}
	put(colYears, fmt.Sprintf("%04d", s.Years))
	put(colMonths, fmt.Sprintf("%02d", s.Months))
	put(colDays, fmt.Sprintf("%02d", s.Days))
	return line
}

// fixedDay is `YYYYMMDD`, or blank.
func fixedDay(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("20060102")
}

// countyCode is the department's four letters for a county.
func countyCode(slug string) string {
	return strings.ToUpper(field(strings.ReplaceAll(slug, "-", ""), 4))
}
