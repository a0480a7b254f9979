// Package fetch brings the documents of a source to this machine: over HTTP in steps with captures, cookies
// and paging, or from places where files are dropped (a folder, SFTP, a bucket). It knows transports, not
// formats.
//
// Package ingest calls Spec.Get, or Spec.Drop and its List and Copy, and archives what they bring before
// anything reads it. Evidence goes with the documents: it says what speaks against their being complete.
//
// It is polite and bounded: allowed hosts only, TLS always verified, one clear User-Agent, a pause between
// requests, limits on bytes, pages and time (guarantee 12 in docs/architecture.md). A captcha or a login wall
// is a refusal, never something to solve.
package fetch

import (
	"maps"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"rollcall/ingest/document"
	"rollcall/models"
)

// UserAgent names this service to every source, so that its operators can tell who asks.
const UserAgent = "rollcall/1 (Georgia public records; one request at a time)"

// Spec is the `transport` part of a source document. The sentences above the fields of this file are printed
// in docs/sources-reference.md.
type Spec struct {
	// How documents are brought: over HTTP in steps, from a place where files are dropped, or by an operator.
	Kind string `yaml:"kind" oneof:"http folder sftp s3 azure file" absent:"file" example:"folder"`
	// Kind http: values for `{name}` in addresses, headers and bodies.
	Settings map[string]string `yaml:"settings" example:"{base: 'https://jail.example.invalid'}"`
	// Kind http: hosts that may be asked besides those that the addresses of the steps name.
	Hosts []string `yaml:"hosts" example:"[files.example.invalid]"`
	// Kind http: whether names of its hosts may lead to addresses that are not public. One that is written as a number may.
	Private bool `yaml:"private" example:"true"`
	// Kind http: whether requests go through the proxy of the environment (`HTTPS_PROXY` and its like), which then dials.
	Proxy bool `yaml:"proxy" example:"true"`
	// Kind http: days counted from today, as values for `{name}`.
	Dates map[string]Day `yaml:"dates"`
	// Kind http: time between two requests.
	Pause time.Duration `yaml:"pause" min:"0s" default:"1s" example:"2s"`
	// Kind http: the requests, in their order; they share one set of cookies.
	Steps []Step `yaml:"steps"`
	// Kind http: texts of a captcha or login page, in any letter case; the source becomes `refused`.
	Refusals []string `yaml:"refusals" example:"[captcha, 'please sign in']"`
	// Kind sftp: host and port; kinds s3 and azure: the host that serves the bucket.
	Server string `yaml:"server" absent:"required with sftp, s3 and azure" example:"files.example.invalid:22"`
	// Kind s3: the region of the bucket.
	Region string `yaml:"region" absent:"us-east-1" example:"us-east-2"`
	// Kind s3: the bucket; kind azure: the container.
	Bucket string `yaml:"bucket" absent:"required with s3 and azure" example:"county-drops"`
	// The directory where files are dropped; in a bucket, the beginning of their names.
	Folder string `yaml:"folder" absent:"required with sftp" example:"/var/spool/jail"`
	// Regular expression that the names of the files fit; of a bucket, what follows the last `/`.
	Pattern string `yaml:"pattern" absent:"every file" example:"'\\.csv$'"`
	// How the name of a file says of which instant the file is.
	Observed Observed `yaml:"observed"`
	// Regular expression on the name of a file: where its first group is a county, all rows of the file must be of it.
	County string `yaml:"county" example:"'^([a-z-]+)_'"`
}

// Step is one request, a series of pages, or one request for each of the values that an earlier step
// collected (the details of a list).
type Step struct {
	// Method of the request.
	Method string `yaml:"method" oneof:"GET POST" default:"GET" example:"POST"`
	// Address of the request.
	URL string `yaml:"url" required:"true" example:"'{base}/api/list'"`
	// Headers of the request.
	Headers map[string]string `yaml:"headers" example:"{X-XSRF: '{token}'}"`
	// Body of the request, sent as it is; its type is application/json unless a header says otherwise.
	Body string `yaml:"body" example:"'{\"skip\":{offset},\"take\":{size}}'"`
	// Body of the request as a form; it excludes `body`.
	Form map[string]string `yaml:"form" example:"{page: '{page}'}"`
	// Values that later steps use as `{name}`.
	Captures map[string]Capture `yaml:"captures"`
	// How the request is repeated for every page of a list.
	Paging *Paging `yaml:"paging"`
	// Name of a capture with `every`: the step sends one request for each of its values.
	For string `yaml:"for" example:"booking"`
	// Whether the answers are documents of the source.
	Keep bool `yaml:"keep" absent:"false" example:"true"`
}

// Capture takes a value out of an answer: from exactly one of cookie, header, address, regex and json.
type Capture struct {
	// Name of a cookie, also of one that a redirect set.
	Cookie string `yaml:"cookie" example:"XSRF-TOKEN"`
	// Name of a header of the answer.
	Header string `yaml:"header" example:"X-Token"`
	// Regular expression on the address that answered, after redirects; its first group is the value.
	Address string `yaml:"address" example:"'/S\\((\\w+)\\)/'"`
	// Regular expression on the answer; its first group is the value.
	Regex string `yaml:"regex" example:"'person\\?booking=([\\w-]+)'"`
	// Path in an answer in JSON.
	JSON string `yaml:"json" example:"items"`
	// With `regex` or `json`: collect all values of all pages, for a later step with `for`.
	Every bool `yaml:"every" absent:"false" example:"true"`
	// With `every` and `json`: the values are objects, and `{name}` is this member of each.
	Key string `yaml:"key" example:"id"`
	// With `every`: regular expression whose first group is how many different values there are.
	Total string `yaml:"total" example:"'of ([\\d,]+) inmates'"`
}

// Day is a calendar day of Georgia, written by a layout of Go's time package.
type Day struct {
	// Days from today; -14 is two weeks ago.
	Days int `yaml:"days" absent:"0" example:"-14"`
	// How the day is written, in the form of Go's time package.
	Layout string `yaml:"layout" default:"2006-01-02" example:"01/02/2006"`
}

// Paging repeats a step. {offset}, {page} and {size} stand for themselves in the request.
type Paging struct {
	// How the next page is found: by rows already read, by its number, by an address in the answer, or by the number of a record.
	By string `yaml:"by" required:"true" oneof:"offset page next number" example:"offset"`
	// Rows of a full page.
	Size int `yaml:"size" min:"0" absent:"required with offset and page" example:"50"`
	// The first offset, page or number.
	First int `yaml:"first" min:"0" absent:"0 with offset, 1 with page; required with number" example:"1"`
	// By offset or page: JSON paths of the rows of a page, of which the first that exists counts.
	Rows document.Texts `yaml:"rows" example:"[Inmates, Records]"`
	// By offset or page: regular expression that matches once for each row, where the answer is no JSON.
	Count string `yaml:"count" example:"'person\\?booking='"`
	// By offset or page: place of the number of all rows, a JSON path beside `rows`, a regular expression with a group beside `count`.
	Total string `yaml:"total" example:"count"`
	// By offset: the source takes whole pages only, so that they cannot overlap by a row.
	Aligned bool `yaml:"aligned" absent:"false" example:"true"`
	// By next: regular expression whose first group is the address of the next page.
	Next string `yaml:"next" absent:"required with next" example:"'href=\"([^\"]+)\">Next'"`
	// By number: how many misses in a row end the series.
	Stop int `yaml:"stop" min:"0" absent:"required with number" example:"20"`
	// By number: how many digits a number has, with zeros before it.
	Width int `yaml:"width" min:"0" absent:"no zeros" example:"6"`
	// By number: regular expression of a page that says that the number does not exist, besides the answer 404.
	Miss string `yaml:"miss" example:"'No record found'"`
	// By number: how a booking's key is made of the number, so that a run begins near the highest known one.
	Known string `yaml:"known" example:"'{year}{number}'"`
	// By number: how many known numbers are asked again.
	Back int `yaml:"back" min:"0" absent:"as many as stop" example:"200"`
}

// Observed reads the instant of a file from its name.
type Observed struct {
	// Regular expression on the name; its first group is the instant. A file whose name it does not match is not read without `--at`.
	Regex string `yaml:"regex" example:"'(\\d{8}_\\d{4})'"`
	// How the instant is written, in the form of Go's time package.
	Layout string `yaml:"layout" example:"'20060102_1504'"`
}

// Counts reports whether the list of those whose details are kept declares how many they are. Such a source
// proves its completeness by that.
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

// Check notes in problems what contradicts itself, with the path in the source document. Get and Drop must be
// called only on a Spec that passed.
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
			problems.Add(path, "kind %s needs server (a host, such as %s) and bucket", s.Kind,
				map[string]string{"s3": "s3.us-east-1.amazonaws.com", "azure": "account.blob.core.windows.net"}[s.Kind])
		}
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
	for _, re := range [][2]string{{"pattern", s.Pattern}, {"observed.regex", s.Observed.Regex}, {"county", s.County}} {
		if _, err := regexp.Compile(re[1]); err != nil {
			problems.Add(document.At(path, re[0]), "%q is not a regular expression", re[1])
		}
	}
}

// check notes mistakes of a step.
func (st *Step) check(at string, s *Spec, problems *document.Problems) {
	if u, err := url.Parse(fill(st.URL, s.values(time.Time{}))); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		problems.Add(document.At(at, "url"), "%q is not an address", st.URL)
	}
	if st.Body != "" && len(st.Form) > 0 {
		problems.Add(at, "use only one of body and form")
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

// check notes mistakes of a capture.
func (c Capture) check(at string, problems *document.Problems) {
	if n := countSet(c.Cookie, c.Header, c.Address, c.Regex, c.JSON); n != 1 {
		problems.Add(at, "needs exactly one of cookie, header, address, regex, json")
	}
	if c.Key != "" && (!c.Every || c.JSON == "") {
		problems.Add(document.At(at, "key"), "needs every and json")
	}
	for key, pattern := range map[string]string{"address": c.Address, "regex": c.Regex, "total": c.Total} {
		if re, err := regexp.Compile(pattern); err != nil || pattern != "" && re.NumSubexp() < 1 {
			problems.Add(document.At(at, key), "%q is not a regular expression with a group", pattern)
		}
	}
	if c.Every && c.Regex == "" && c.JSON == "" {
		problems.Add(document.At(at, "every"), "needs regex or json")
	}
	if c.Total != "" && !c.Every {
		problems.Add(document.At(at, "total"), "needs every")
	}
}

// check notes mistakes of paging: each way has keys of its own.
func (p *Paging) check(at string, problems *document.Problems) {
	switch p.By {
	case "offset", "page":
		if p.Size < 1 || (len(p.Rows) == 0) == (p.Count == "") {
			problems.Add(at, "needs size, and either rows or count")
		}
		if _, err := regexp.Compile(p.Count); err != nil {
			problems.Add(document.At(at, "count"), "%q is not a regular expression", p.Count)
		}
		if re, err := regexp.Compile(p.Total); p.Count != "" && p.Total != "" && (err != nil || re.NumSubexp() < 1) {
			problems.Add(document.At(at, "total"), "%q is not a regular expression with a group, as is needed beside count", p.Total)
		}
	case "next":
		if re, err := regexp.Compile(p.Next); err != nil || re.NumSubexp() < 1 {
			problems.Add(document.At(at, "next"), "%q is not a regular expression with a group", p.Next)
		}
	case "number":
		if p.First < 1 || p.Stop < 1 {
			problems.Add(at, "needs first and stop")
		}
		if _, err := regexp.Compile(p.Miss); err != nil {
			problems.Add(document.At(at, "miss"), "%q is not a regular expression", p.Miss)
		}
		if p.Known != "" && strings.Count(p.Known, "{number}") != 1 {
			problems.Add(document.At(at, "known"), "%q does not hold {number} once", p.Known)
		}
	}
}

// countSet counts the texts that are not empty.
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

// fill replaces each {name} by its value. A name without a value stays as it is.
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
