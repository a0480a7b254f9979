// Package naming invents names of people for the simulator, and writes them as clerks do.
package naming

import (
	_ "embed"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The lists are common American names, one a line, with a frequency. Their combinations are invented.
var (
	//go:embed data/surnames.txt
	surnameList string
	//go:embed data/male.txt
	maleList string
	//go:embed data/female.txt
	femaleList string
)

// Name is a person's name, or a jail's reading of it. All parts but First and Last may be empty.
type Name struct {
	First, Middle, Last, Suffix string
}

// LastFirst is `DOE, JANE Q` with the suffix behind another comma, as most vendors write it.
func (n Name) LastFirst() string {
	text := n.Last + ", " + Join(n.First, n.Middle)
	if n.Suffix != "" {
		text += ", " + n.Suffix
	}
	return text
}

// FirstLast is `JANE Q DOE JR`.
func (n Name) FirstLast() string { return Join(n.First, n.Middle, n.Last, n.Suffix) }

// Upper returns the name in capitals.
func (n Name) Upper() Name {
	return Name{strings.ToUpper(n.First), strings.ToUpper(n.Middle), strings.ToUpper(n.Last), strings.ToUpper(n.Suffix)}
}

// Reported is how another clerk might write the name: with the middle name cut to its letter, or left out.
func (n Name) Reported(mark uint64) Name {
	switch letters := []rune(n.Middle); {
	case len(letters) == 0:
	case mark%10 < 3:
		n.Middle = string(letters[:1])
	case mark%10 == 3:
		n.Middle = ""
	}
	return n
}

// nicknames are what some jails write for a first name.
var nicknames = map[string]string{
	"Michael": "Mike", "James": "Jim", "William": "Bill", "Robert": "Bobby", "Christopher": "Chris", "Joshua": "Josh",
	"Matthew": "Matt", "Daniel": "Danny", "Anthony": "Tony", "Jennifer": "Jenny", "Elizabeth": "Liz", "Jessica": "Jess",
	"Katherine": "Kathy", "Kimberly": "Kim", "Patricia": "Pat", "Thomas": "Tommy", "Timothy": "Tim", "Joseph": "Joey",
}

// Booked is a jail's reading of the name. One in twenty-five is booked by a nickname.
func (n Name) Booked(mark uint64) Name {
	n = n.Reported(mark)
	if short, ok := nicknames[n.First]; ok && mark/10%25 == 0 {
		n.First = short
	}
	return n
}

// Join puts blanks between the parts that are not empty.
func Join(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, " ")
}

// frequencies draws texts by their weight.
type frequencies struct {
	texts []string
	sums  []int
}

// readFrequencies reads lines of a text, a blank and a weight. A line without a weight weighs one.
func readFrequencies(list string) frequencies {
	var f frequencies
	sum := 0
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		cut := strings.LastIndexByte(line, ' ')
		weight, err := strconv.Atoi(line[cut+1:])
		if err != nil {
			cut, weight = len(line), 1
		}
		sum += weight
		f.texts = append(f.texts, titled(line[:cut]))
		f.sums = append(f.sums, sum)
	}
	return f
}

func (f frequencies) draw(r *rand.Rand) string {
	at, _ := slices.BinarySearch(f.sums, r.IntN(f.sums[len(f.sums)-1])+1)
	return f.texts[at]
}

// titled writes `de la cruz` as `De La Cruz`.
func titled(text string) string {
	letters := []rune(text)
	for i := range letters {
		if i == 0 || letters[i-1] == ' ' || letters[i-1] == '\'' {
			letters[i] = unicode.ToUpper(letters[i])
		}
	}
	return string(letters)
}

// Namer invents names.
type Namer struct {
	surnames, male, female frequencies
}

// New returns a namer that knows the lists.
func New() Namer {
	return Namer{readFrequencies(surnameList), readFrequencies(maleList), readFrequencies(femaleList)}
}

// Invent returns a name for sex `M` or `F`: three in five have a middle name, one in fifty a double surname.
func (n Namer) Invent(r *rand.Rand, sex string) Name {
	first := n.male
	if sex == "F" {
		first = n.female
	}
	name := Name{First: first.draw(r), Last: n.surnames.draw(r)}
	switch draw := r.IntN(100); {
	case draw < 60:
		name.Middle = first.draw(r)
	case draw < 80:
		name.Middle = first.draw(r)[:1]
	}
	switch draw := r.IntN(100); {
	case draw < 2:
		name.Last += "-" + n.surnames.draw(r)
	case draw < 7 && sex == "M":
		name.Suffix = [...]string{"Jr", "Jr", "Sr", "II", "III"}[r.IntN(5)]
	}
	return name
}
