package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/text/language"
)

//go:embed en.json es.json
var files embed.FS

// Language is a language of the pages. It is safe for concurrent use.
type Language struct {
	// Code is the language's tag, as in <html lang>.
	Code string
	// Name is what its speakers call it.
	Name string

	texts map[string]string // by message; nil: English
}

// English is the language in which the messages are written.
var English = &Language{Code: "en", Name: "English"}

// Catalogue is the file of a language. Each message is in one of the two maps. A message that a file needs in other words
// than the rest is there once more as "message @file".
type Catalogue struct {
	// Machine are translations that no speaker has checked.
	Machine map[string]string `json:"machine"`
	// Reviewed are translations that a speaker has checked.
	Reviewed map[string]string `json:"reviewed"`
}

// All returns the languages, English first.
func All() ([]*Language, error) {
	es, err := Read("es")
	if err != nil {
		return nil, err
	}
	spanish := &Language{Code: "es", Name: "Español", texts: es.Machine}
	maps.Copy(spanish.texts, es.Reviewed)
	return []*Language{English, spanish}, nil
}

// Read returns the catalogue of a language.
func Read(code string) (*Catalogue, error) {
	b, err := files.ReadFile(code + ".json")
	if err != nil {
		return nil, fmt.Errorf("read catalogue: %w", err)
	}
	c := &Catalogue{}
	if err := json.Unmarshal(b, c); err != nil {
		return nil, fmt.Errorf("read catalogue %s: %w", code, err)
	}
	if c.Machine == nil {
		c.Machine = map[string]string{}
	}
	return c, nil
}

// Used returns all messages, with the files below web that use each.
func Used() (map[string][]string, error) {
	b, err := files.ReadFile("en.json")
	if err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	used := map[string][]string{}
	if err := json.Unmarshal(b, &used); err != nil {
		return nil, fmt.Errorf("read messages: %w", err)
	}
	return used, nil
}

// Find returns a message in this language, for the file that uses it; the message itself where the catalogue lacks it.
func (l *Language) Find(text, file string) string {
	if said, ok := l.texts[text+" @"+file]; ok {
		return said
	}
	if said, ok := l.texts[text]; ok {
		return said
	}
	return text
}

// Name of the cookie that keeps a reader's choice.
const cookie = "lang"

// Of returns the language of a request: the one chosen, else the first that the browser asks for, else English.
func Of(r *http.Request, all []*Language) *Language {
	if c, err := r.Cookie(cookie); err == nil {
		if l := ByCode(c.Value, all); l != nil {
			return l
		}
	}
	asked, _, err := language.ParseAcceptLanguage(r.Header.Get("Accept-Language"))
	if err != nil {
		return English
	}
	for _, tag := range asked {
		base, _ := tag.Base()
		if l := ByCode(base.String(), all); l != nil {
			return l
		}
	}
	return English
}

// Choose returns the cookie that keeps a reader's choice for a year.
func Choose(l *Language, secure bool) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure follows the address of the service
		Name: cookie, Value: l.Code, Path: "/", MaxAge: 365 * 24 * 60 * 60, HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	}
}

// ByCode returns the language of a code; nil for one that there is not.
func ByCode(code string, all []*Language) *Language {
	if i := slices.IndexFunc(all, func(l *Language) bool { return l.Code == code }); i >= 0 {
		return all[i]
	}
	return nil
}

// Module returns the module that holds what the modules of the pages say in this language.
func (l *Language) Module(used map[string][]string) ([]byte, error) {
	texts := map[string]string{}
	for text, files := range used {
		inModules := slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, ".js") || f == EnumeratedFile })
		if said := l.Find(text, ""); inModules && said != text {
			texts[text] = said
		}
	}
	b, err := json.Marshal(texts)
	if err != nil {
		return nil, fmt.Errorf("write module of words: %w", err)
	}
	return slices.Concat([]byte("import { learn } from \"./words.js\";\nlearn("), b, []byte(");\n")), nil
}
