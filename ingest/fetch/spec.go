// Package fetch brings the documents of a feed to this machine: over HTTP in steps with captures,
// cookies and paging, or from dropped files. It knows transports, not formats, and it is polite and
// bounded: allowed hosts only, TLS always verified, one clear User-Agent, a pause between requests,
// limits on bytes, pages and time. A captcha or a login wall is a refusal, never something to solve.
package fetch

import (
	"maps"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"rollcall/ingest/document"
	"rollcall/models"
)

// UserAgent names this service to every source.
const UserAgent = "rollcall/1 (Georgia public records; one request at a time)"

// Spec is the `transport` part of a source document.
type Spec struct {
	Kind     string            `yaml:"kind"`     // http, folder, sftp, s3, azure, file
	Settings map[string]string `yaml:"settings"` // values for {name} in addresses, headers and bodies
	Hosts    []string          `yaml:"hosts"`    // hosts that may be asked besides that of the first step
	Dates    map[string]Day    `yaml:"dates"`    // days counted from today, as values for {name}
	Pause    time.Duration     `yaml:"pause"`    // between two requests, default 1 s
	Steps    []Step            `yaml:"steps"`
	Refusals []string          `yaml:"refusals"` // texts of a captcha or login page, in any letter case
	Server   string            `yaml:"server"`   // sftp: host:port; s3, azure: the host that serves the bucket
	Region   string            `yaml:"region"`   // s3: default us-east-1
	Bucket   string            `yaml:"bucket"`   // s3: bucket; azure: container
	Folder   string            `yaml:"folder"`   // where files are dropped; in a bucket, what their names begin with
	Pattern  string            `yaml:"pattern"`  // of their names, a regular expression
	Observed Observed          `yaml:"observed"` // the instant that a file speaks of, from its name
}

// Step is one request, a series of pages, or one request for each of the values that an earlier step
// collected (the details of a list).
type Step struct {
	Method   string             `yaml:"method"` // default GET
	URL      string             `yaml:"url"`
	Headers  map[string]string  `yaml:"headers"`
	Body     string             `yaml:"body"`     // sent as it is, default type application/json
	Form     map[string]string  `yaml:"form"`     // sent as a form
	Captures map[string]Capture `yaml:"captures"` // values for later steps
	Paging   *Paging            `yaml:"paging"`
	For      string             `yaml:"for"`  // a capture with every: one request for each of its values, as {name}
	Keep     bool               `yaml:"keep"` // the answers are documents of the feed
}

// Capture takes a value out of an answer: from exactly one of cookie, header, address, regex and json.
type Capture struct {
	Cookie  string `yaml:"cookie"` // also one that was set on the way, by a redirect
	Header  string `yaml:"header"`
	Address string `yaml:"address"` // regular expression on the address that answered, after redirects: its first group
	Regex   string `yaml:"regex"`   // regular expression on the answer: its first group
	JSON    string `yaml:"json"`    // a path
	Every   bool   `yaml:"every"`   // regex, json: all values of all pages, for a later step; a page may hold none
	Key     string `yaml:"key"`     // with every and json: the values are objects; {name} is this member of each
	Total   string `yaml:"total"`   // with every: regular expression of how many different values there are
}

// Day is a calendar day of Georgia, written by a layout of Go's time package.
type Day struct {
	Days   int    `yaml:"days"`   // from today: -14 is two weeks ago
	Layout string `yaml:"layout"` // default 2006-01-02
}

// Paging repeats a step. {offset}, {page} and {size} stand for themselves in the request.
type Paging struct {
	By    string         `yaml:"by"`    // offset, page, next (an address in the answer), number (one record each)
	Size  int            `yaml:"size"`  // rows a page
	First int            `yaml:"first"` // the first page or number, default 0 for offsets and 1 else
	Rows  document.Texts `yaml:"rows"`  // JSON paths of a page's rows, the first that exists
	Count string         `yaml:"count"` // or a regular expression that matches once for each row
	Total string         `yaml:"total"` // the number of all rows: a JSON path; beside count a regular expression, its first group the number
	// Aligned: offset: the source takes whole pages only, so that they cannot overlap by a row.
	Aligned bool   `yaml:"aligned"`
	Next    string `yaml:"next"`  // regular expression whose first group is the address of the next page
	Stop    int    `yaml:"stop"`  // number: so many misses in a row end it
	Width   int    `yaml:"width"` // number: so many digits, with zeros before them
	Miss    string `yaml:"miss"`  // number: regular expression of a page that says that there is no such number, besides the answer 404
	Known   string `yaml:"known"` // number: how a booking's key is made of it, such as {year}{number}: it begins near the highest one that is known
	Back    int    `yaml:"back"`  // number: so many known numbers are asked again, for what became of them; default Stop
}

// Observed reads the instant of a file from its name.
type Observed struct {
	Regex  string `yaml:"regex"`
	Layout string `yaml:"layout"`
}

// Counts tells whether the list of those whose details are kept declares how many they are.
func (s *Spec) Counts() bool {
	total, kept := map[string]bool{}, false
	for i := range s.Steps {
		st := &s.Steps[i]
		for name, c := range st.Captures {
			total[name] = c.Every && c.Total != ""
		}
		if st.Keep && !total[st.For] {
			return false
		}
		kept = kept || st.Keep
	}
	return kept
}

// Check notes what contradicts itself.
func (s *Spec) Check(path string, problems *document.Problems) {
	switch s.Kind {
	case "http":
		if len(s.Steps) == 0 {
			problems.Add(document.At(path, "steps"), "is needed for kind http")
		}
	case "sftp":
		if _, _, err := net.SplitHostPort(s.Server); err != nil || s.Folder == "" {
			problems.Add(path, "kind sftp needs server (host:port) and folder")
		}
	case "s3", "azure":
		if u, err := url.Parse("https://" + s.Server); err != nil || s.Server == "" || u.Host != s.Server || s.Bucket == "" {
			problems.Add(path, "kind %s needs server (a host, such as %s) and bucket", s.Kind, map[string]string{"s3": "s3.us-east-1.amazonaws.com", "azure": "account.blob.core.windows.net"}[s.Kind])
		}
	case "folder", "file", "":
	default:
		problems.Add(document.At(path, "kind"), "%q is none of http, folder, sftp, s3, azure, file", s.Kind)
	}
	kept := false
	for i := range s.Steps {
		at := document.Index(document.At(path, "steps"), i)
		s.Steps[i].check(at, s, problems)
		s.Steps[i].checkFor(at, s.Steps[:i], problems)
		kept = kept || s.Steps[i].Keep
	}
	if len(s.Steps) > 0 && !kept {
		problems.Add(document.At(path, "steps"), "no step keeps its answer (keep: true)")
	}
	for _, re := range [][2]string{{"pattern", s.Pattern}, {"observed.regex", s.Observed.Regex}} {
		if _, err := regexp.Compile(re[1]); err != nil {
			problems.Add(document.At(path, re[0]), "%q is no regular expression", re[1])
		}
	}
}

func (st *Step) check(at string, s *Spec, problems *document.Problems) {
	if !slices.Contains([]string{"", "GET", "POST"}, st.Method) {
		problems.Add(document.At(at, "method"), "%q is neither GET nor POST", st.Method)
	}
	if u, err := url.Parse(fill(st.URL, s.values(time.Time{}))); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		problems.Add(document.At(at, "url"), "%q is no address", st.URL)
	}
	if st.Body != "" && len(st.Form) > 0 {
		problems.Add(at, "body and form exclude each other")
	}
	for name, c := range st.Captures {
		c.check(document.At(document.At(at, "captures"), name), problems)
	}
	if st.Paging != nil {
		st.Paging.check(document.At(at, "paging"), problems)
	}
}

// checkFor notes a step for values that no step before it collects.
func (st *Step) checkFor(at string, before []Step, problems *document.Problems) {
	if st.For == "" {
		return
	}
	for i := range before {
		if before[i].Captures[st.For].Every {
			return
		}
	}
	problems.Add(document.At(at, "for"), "no step before this one captures every %q", st.For)
}

func (c Capture) check(at string, problems *document.Problems) {
	if n := countSet(c.Cookie, c.Header, c.Address, c.Regex, c.JSON); n != 1 {
		problems.Add(at, "needs exactly one of cookie, header, address, regex, json")
	}
	if c.Key != "" && (!c.Every || c.JSON == "") {
		problems.Add(document.At(at, "key"), "needs every and json")
	}
	for key, pattern := range map[string]string{"address": c.Address, "regex": c.Regex, "total": c.Total} {
		if re, err := regexp.Compile(pattern); err != nil || pattern != "" && re.NumSubexp() < 1 {
			problems.Add(document.At(at, key), "%q is no regular expression with a group", pattern)
		}
	}
	if c.Every && c.Regex == "" && c.JSON == "" {
		problems.Add(document.At(at, "every"), "needs regex or json")
	}
	if c.Total != "" && !c.Every {
		problems.Add(document.At(at, "total"), "needs every")
	}
}

func (p *Paging) check(at string, problems *document.Problems) {
	switch p.By {
	case "offset", "page":
		if p.Size < 1 || (len(p.Rows) == 0) == (p.Count == "") {
			problems.Add(at, "needs size, and either rows or count")
		}
		if _, err := regexp.Compile(p.Count); err != nil {
			problems.Add(document.At(at, "count"), "%q is no regular expression", p.Count)
		}
		if re, err := regexp.Compile(p.Total); p.Count != "" && p.Total != "" && (err != nil || re.NumSubexp() < 1) {
			problems.Add(document.At(at, "total"), "%q is no regular expression with a group, as is needed beside count", p.Total)
		}
	case "next":
		if re, err := regexp.Compile(p.Next); err != nil || re.NumSubexp() < 1 {
			problems.Add(document.At(at, "next"), "%q is no regular expression with a group", p.Next)
		}
	case "number":
		if p.First < 1 || p.Stop < 1 {
			problems.Add(at, "needs first and stop")
		}
		if _, err := regexp.Compile(p.Miss); err != nil {
			problems.Add(document.At(at, "miss"), "%q is no regular expression", p.Miss)
		}
		if p.Known != "" && strings.Count(p.Known, "{number}") != 1 {
			problems.Add(document.At(at, "known"), "%q does not hold {number} once", p.Known)
		}
	default:
		problems.Add(document.At(at, "by"), "%q is none of offset, page, next, number", p.By)
	}
}

func countSet(texts ...string) int {
	n := 0
	for _, t := range texts {
		if t != "" {
			n++
		}
	}
	return n
}

// values are those of the settings and dates.
func (s *Spec) values(now time.Time) map[string]string {
	values := make(map[string]string, len(s.Settings)+len(s.Dates))
	maps.Copy(values, s.Settings)
	for name, day := range s.Dates {
		layout := day.Layout
		if layout == "" {
			layout = time.DateOnly
		}
		values[name] = now.In(models.Georgia).AddDate(0, 0, day.Days).Format(layout)
	}
	return values
}

// fill puts values for {name}.
func fill(template string, values map[string]string) string {
	if !strings.Contains(template, "{") {
		return template
	}
	pairs := make([]string, 0, 2*len(values))
	for name, v := range values {
		pairs = append(pairs, "{"+name+"}", v)
	}
	return strings.NewReplacer(pairs...).Replace(template)
}
