package corpus_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"rollcall/ingest"
)

// mishap is one way in which the second snapshot of a source goes wrong.
type mishap struct {
	name string
	what string // for the page
	// fits reports whether the shape can suffer it; nil: all can.
	fits func(s *shape) bool
	// blank is the part of the facts that it leaves out, so that it is unknown of those who are new.
	blank string
	// happen feeds the damaged snapshot.
	happen func(c *trial) *ingest.Report
}

// fitting reports whether a shape can suffer it.
func (m *mishap) fitting(s *shape) bool { return !s.Refuses && (m.fits == nil || m.fits(s)) }

// mishaps are all of them, in the order of the page.
var mishaps = []mishap{
	{"repeated", "yesterday's file again", nil, "", func(c *trial) *ingest.Report {
		return c.read(c.shape.write(c.T, c.at(0), c.people(0), -1), c.at(1))
	}},
	{"late", "a file of the day before comes a day late", nil, "", func(c *trial) *ingest.Report {
		at := c.at(0).Add(-12 * time.Hour)
		all := slices.DeleteFunc(c.people(0), func(p person) bool { return p.Booked.After(at) })
		return c.read(c.shape.write(c.T, at, all, -1), at)
	}},
	{"shuffled", "the rows in another order", nil, "", shuffled(func(all []person) []person { slices.Reverse(all); return all })},
	{"doubled", "every row twice", nil, "", doubled},
	{"cut in a row", "the file ends within a row", nil, "", damaged(cutInRow)},
	{"cut between rows", "the file ends after half of its rows", nil, "", damaged(cutBetweenRows)},
	{"half", "half of the people, in a file that looks whole", nil, "", shuffled(func(all []person) []person { return all[:len(all)/2] })},
	{"empty list", "nobody, in a file that looks whole", nil, "", shuffled(func([]person) []person { return nil })},
	{"empty file", "no byte", nil, "", replaced("")},
	{"column renamed", "a column, key or label has another name", func(s *shape) bool { return len(s.Rename) > 0 }, "", damaged(renamed)},
	{"columns moved", "all values one column to the right", func(s *shape) bool { return s.Columns != "" }, "", damaged(moved)},
	{"names swapped", "first names in the place of last names", nil, "", each(func(c *trial, p *person) { p.First, p.Last = p.Last, p.First })},
	{"names blank", "no name", nil, "", each(func(c *trial, p *person) { p.First, p.Last, p.Middle, p.Suffix = "", "", "", "" })},
	{"five hours off", "all times of booking five hours later", minutes, "", each(func(c *trial, p *person) { p.Booked = p.Booked.Add(5 * time.Hour) })},
	{"a day off", "all times of booking a day earlier", nil, "", each(func(c *trial, p *person) { p.Booked = p.Booked.AddDate(0, 0, -1) })},
	{"times blank", "no time of booking", nil, "booked", each(func(c *trial, p *person) { p.Booked = time.Time{} })},
	{"births blank", "no birth date or age", ages, "", each(func(c *trial, p *person) { p.Born = time.Time{} })},
	{"bonds blank", "no bond", bonds, "bond", each(func(c *trial, p *person) { bond(p, -1) })},
	{"bonds alike", "the same bond for everybody", bonds, "", each(func(c *trial, p *person) { bond(p, 50) })},
	{"numbers blank", "no booking number", numbered, "", each(func(c *trial, p *person) { p.Number = "" })},
	{"numbers changed", "all booking numbers are others", numbered, "", each(func(c *trial, p *person) { p.Number = fmt.Sprintf(numbers, c.nth, 60000+p.N) })},
	{"all released", "everybody is released since an hour", stated, "", each(func(c *trial, p *person) { p.Released = c.at(1).Add(-time.Hour).In(p.Booked.Location()) })},
	{"releases blank", "no release", stated, "state", each(func(c *trial, p *person) { p.Released = time.Time{} })},
	{"wrong county", "the people of another county", local, "", each(func(c *trial, p *person) {
		p.Last, p.First, p.Number, p.PersonNo = p.First+"SON", p.Last, fmt.Sprintf(numbers, c.nth, 80000+p.N), "8"+p.PersonNo
	})},
	{"tomorrow", "a file of tomorrow", nil, "", tomorrow},
	{"error page", "an error, answered as a page", nil, "", replaced("<html><body><h1>500 Internal Server Error</h1><p>An error has occurred.</p></body></html>\n")},
	{"login page", "a login page with a captcha", nil, "", replaced("<html><body><form><div class=\"g-recaptcha\"></div>Please log in to continue. captcha</form></body></html>\n")},
}

// listed are those whom the second snapshot lists, with all that is known of them.
func (c *trial) listed(snapshot int) []person {
	all := c.people(snapshot)
	if c.shape.Also != nil {
		return all
	}
	return c.shape.listed(all)
}

// local reports whether the shape is of a county.
func local(s *shape) bool { return !strings.HasPrefix(s.County, "state-") }

func minutes(s *shape) bool  { return s.States.Booked == "minute" }
func ages(s *shape) bool     { return s.States.Age() }
func bonds(s *shape) bool    { return s.States.Bond }
func numbered(s *shape) bool { return s.States.Number }
func stated(s *shape) bool {
	return s.Lists == left || s.Lists == releases || s.Lists == changes || s.Also != nil
}

// bond sets all bonds of a person; -1: none is stated.
func bond(p *person, amount int) {
	for i := range p.Charges {
		p.Charges[i].Bond = amount
	}
	p.sum()
}

// shuffled feeds the second snapshot with other people in it, or in another order.
func shuffled(change func(all []person) []person) func(c *trial) *ingest.Report {
	return func(c *trial) *ingest.Report {
		return c.read(c.shape.write(c.T, c.at(1), change(c.listed(1)), -1), c.at(1))
	}
}

// each feeds the second snapshot with each person in it changed.
func each(change func(c *trial, p *person)) func(c *trial) *ingest.Report {
	return func(c *trial) *ingest.Report {
		all := c.listed(1)
		for i := range all {
			change(c, &all[i])
		}
		return c.read(c.shape.write(c.T, c.at(1), all, -1), c.at(1))
	}
}

// doubled repeats each row, while the declared total is what it was.
func doubled(c *trial) *ingest.Report {
	var all []person
	people := c.listed(1)
	for _, p := range people {
		all = append(all, p, p)
	}
	return c.read(c.shape.write(c.T, c.at(1), all, len(people)), c.at(1))
}

// damaged feeds the second snapshot after its bytes were changed.
func damaged(change func(c *trial, docs []document) []document) func(c *trial) *ingest.Report {
	return func(c *trial) *ingest.Report {
		return c.read(change(c, c.shape.write(c.T, c.at(1), c.people(1), -1)), c.at(1))
	}
}

// replaced feeds one page in the place of the second snapshot.
func replaced(page string) func(c *trial) *ingest.Report {
	return func(c *trial) *ingest.Report {
		if c.asked() {
			return c.ask([]byte(page), c.at(1))
		}
		docs := c.shape.write(c.T, c.at(1), c.people(1), -1)[:1]
		docs[0].text = []byte(page)
		return c.read(docs, c.at(1))
	}
}

// cutInRow ends the documents in the middle of a name.
func cutInRow(c *trial, docs []document) []document {
	people := c.listed(1)
	p := people[len(people)*3/5]
	for i, d := range docs {
		folded := bytes.ToUpper(d.text)
		if at := bytes.Index(folded, []byte(p.Last)); at > 0 {
			docs[i].text = d.text[:at+len(p.Last)/2]
			return docs[:i+1]
		}
	}
	c.Fatalf("no document names %s", p.Last)
	return nil
}

// cutBetweenRows keeps what two lists, one of them of half the people, have in common.
func cutBetweenRows(c *trial, docs []document) []document {
	if c.shape.Each {
		return docs[:len(docs)/2]
	}
	people := c.listed(1)
	short := c.shape.write(c.T, c.at(1), people[:len(people)/2], len(people))[0].text
	text, n := docs[0].text, 0
	for n < len(short) && n < len(text) && text[n] == short[n] {
		n++
	}
	if line := bytes.LastIndexByte(text[:n], '\n'); line > n*9/10 {
		n = line + 1
	}
	docs[0].text = text[:n]
	return docs
}

// renamed writes the names of columns as shape.yaml says.
func renamed(c *trial, docs []document) []document {
	for i, d := range docs {
		docs[i].text = []byte(strings.NewReplacer(c.shape.Rename...).Replace(string(d.text)))
	}
	return docs
}

// moved puts a blank column before the second one in each row but the first.
func moved(c *trial, docs []document) []document {
	lines := strings.Split(string(docs[0].text), "\n")
	for i, line := range lines {
		if i > 0 && strings.Contains(line, c.shape.Columns) {
			lines[i] = strings.Replace(line, c.shape.Columns, c.shape.Columns+c.shape.Columns, 1)
		}
	}
	docs[0].text = []byte(strings.Join(lines, "\n"))
	return docs
}

// tomorrow feeds the third snapshot at the time of the second.
func tomorrow(c *trial) *ingest.Report {
	docs := c.shape.write(c.T, c.at(2), c.people(1), -1)
	c.clock = c.at(1).Add(10 * time.Minute)
	defer func() { c.clock = time.Time{} }()
	return c.read(docs, c.at(2))
}
