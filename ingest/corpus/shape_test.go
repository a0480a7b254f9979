package corpus_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"gopkg.in/yaml.v3"

	"rollcall/ingest"
	"rollcall/models"
)

// shape is shape.yaml of a folder: which document reads it and what its samples state.
type shape struct {
	Label    string   `yaml:"label"`    // of the list of shapes, such as F1
	Title    string   `yaml:"title"`    //
	Document string   `yaml:"document"` // id of a shipped document, or a file from here; empty: source.yaml
	County   string   `yaml:"county"`   // its slug; no two shapes share one
	Spelling string   `yaml:"spelling"` // how rows write the county; empty: its name
	File     string   `yaml:"file"`     // name of a document, with {layout} for the instant and {n} for a person
	Lists    lists    `yaml:"lists"`    // whom a snapshot lists
	Also     *also    `yaml:"also"`     // a second file of each snapshot
	Refuses  bool     `yaml:"refuses"`  // it wants a captcha, always
	Each     bool     `yaml:"each"`     // a document is of one person
	Latin    bool     `yaml:"latin"`    // it is written in ISO-8859-1
	Again    bool     `yaml:"again"`    // a file that was not believed is sent again, as no later one repeats it
	States   states   `yaml:"states"`   // which facts
	Rename   []string `yaml:"rename"`   // the texts of a column's name before and after, in turns
	Columns  string   `yaml:"columns"`  // what separates columns, for moving them

	id     string
	sample *template.Template
}

// also is a second file of each snapshot.
type also struct {
	File  string `yaml:"file"`
	Lists lists  `yaml:"lists"`
}

// lists is whom a snapshot lists.
type lists string

const (
	held     lists = "held"     // who is in jail
	left     lists = "left"     // also those who left, with the release
	intake   lists = "intake"   // everybody of the last days, without a release
	releases lists = "releases" // who left, and it knows nobody else
	out      lists = "out"      // who left, of those of the first file
	changes  lists = "changes"  // whose facts changed
)

// states is which facts a shape states; the others are not compared.
type states struct {
	Middle  string `yaml:"middle"`  // full, or none
	Suffix  bool   `yaml:"suffix"`  //
	Booked  string `yaml:"booked"`  // minute, day
	Born    string `yaml:"born"`    // date, year, age, flag, none
	Bond    bool   `yaml:"bond"`    //
	Charges bool   `yaml:"charges"` //
	Number  bool   `yaml:"number"`  // a number of the booking
}

// Age reports whether one can see who is a juvenile.
func (s states) Age() bool { return s.Born != "none" && s.Born != "" }

// shapes reads all folders, sorted by their names.
func shapes(t *testing.T) []*shape {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("*", "shape.yaml"))
	require.NoError(t, err)
	all := make([]*shape, 0, len(files))
	counties := map[string]string{}
	for _, file := range files {
		s := &shape{id: filepath.Dir(file)}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		d := yaml.NewDecoder(bytes.NewReader(data))
		d.KnownFields(true)
		require.NoError(t, d.Decode(s), file)
		require.Empty(t, counties[s.County], "%s: the county %s is taken, and two sources of one county know each other's people", s.id, s.County)
		counties[s.County] = s.id
		text, err := os.ReadFile(filepath.Join(s.id, "sample.tmpl"))
		require.NoError(t, err)
		s.sample, err = template.New(s.id).Funcs(funcs).Parse(string(text))
		require.NoError(t, err)
		all = append(all, s)
	}
	return all
}

// spelling is how rows write the county.
func (s *shape) spelling() string {
	if s.Spelling != "" {
		return s.Spelling
	}
	words := strings.Split(s.County, "-")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// load returns the document under an id of its own, for the county of the shape.
func (s *shape) load(t *testing.T, id string) *ingest.Source {
	t.Helper()
	name := s.Document
	switch {
	case name == "":
		name = filepath.Join(s.id, "source.yaml")
	case strings.HasPrefix(name, "."):
		name = filepath.Join(s.id, filepath.FromSlash(name))
	}
	source, err := ingest.Load(name)
	require.NoError(t, err)
	if source.ID = id; source.County != "" {
		source.County = s.County
	}
	return source
}

// document is one file of a snapshot.
type document struct {
	name string
	text []byte
}

// harm is a mishap that cannot be seen in some shapes, or is not seen yet, so that wrong records are published until somebody
// corrects them.
type harm struct {
	Mishap string   `yaml:"mishap"`
	Shapes []string `yaml:"shapes"`
	Why    string   `yaml:"why"`
}

// harms are those that known.yaml lists.
func harms(t *testing.T) []harm {
	t.Helper()
	text, err := os.ReadFile("known.yaml")
	require.NoError(t, err)
	var all []harm
	require.NoError(t, yaml.Unmarshal(text, &all))
	return all
}

// view is what a template reads.
type view struct {
	At     time.Time
	County string
	People []person
	Total  int // declared
}

// write writes the people whom the shape lists as one snapshot, or one document each.
func (s *shape) write(t *testing.T, at time.Time, all []person, total int) []document {
	t.Helper()
	people := s.listed(all)
	if total < 0 {
		total = len(people)
	}
	if !s.Each {
		docs := []document{s.one(t, at, people, total, 0)}
		if s.Also != nil {
			second := *s
			second.File, second.Lists, second.Also = s.Also.File, s.Also.Lists, nil
			docs = append(docs, second.write(t, at, all, -1)...)
		}
		return docs
	}
	docs := make([]document, len(people))
	for i, p := range people {
		docs[i] = s.one(t, at, []person{p}, 1, p.N)
	}
	return docs
}

func (s *shape) one(t *testing.T, at time.Time, people []person, total, n int) document {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, s.sample.Execute(&out, view{At: at.In(models.Georgia), County: s.spelling(), People: people, Total: total}))
	text := out.Bytes()
	if s.Latin {
		var err error
		text, err = charmap.ISO8859_1.NewEncoder().Bytes(text)
		require.NoError(t, err)
	}
	name := strings.ReplaceAll(s.File, "{n}", fmt.Sprintf("%05d", n))
	if before, layout, ok := strings.Cut(name, "{"); ok {
		layout, after, _ := strings.Cut(layout, "}")
		name = before + at.In(models.Georgia).Format(layout) + after
	}
	return document{name, text}
}

// listed are those whom a snapshot lists.
func (s *shape) listed(all []person) []person {
	var some []person
	for _, p := range all {
		switch {
		case s.Lists == held && !p.in(), s.Lists == changes && !p.Changed, s.Lists == out && p.in():
		case s.Lists == intake:
			p.Released = time.Time{}
			some = append(some, p)
		default:
			some = append(some, p)
		}
	}
	return some
}
