// Command gather lists every message of the pages in en.json, with the files that use it: from templates, modules and Go code. It
// runs by `go generate` in web/words, and its tests compare the list with what is translated.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rollcall/web/words"
)

func main() {
	b, err := list("..")
	if err == nil {
		err = os.WriteFile("en.json", b, 0o644) //nolint:gosec // a file of the repository
	}
	if err != nil {
		slog.Error("messages not listed", "error", err)
		os.Exit(1)
	}
}

// erring are the directories and files beside package web whose errors pages show.
var erring = []string{
	"auth", "ingest/lock.go", "ingest/release.go", "ingest/replay.go", "internal/customer", "internal/enroll", "internal/once",
	"internal/service", "internal/signedlink", "internal/watchers", "internal/watchlist", "models", "notifier/address.go", "notifier/mail/mailer.go",
}

// used are the files that use each message.
type used map[string][]string

func (u used) add(message, file string) {
	if message != "" && !slices.Contains(u[message], file) {
		u[message] = append(u[message], file)
	}
}

// list returns en.json. web is the directory of package web.
func list(web string) ([]byte, error) {
	all, err := gather(web)
	if err != nil {
		return nil, err
	}
	for _, files := range all {
		slices.Sort(files)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteString("{")
	for i, message := range sorted(all) {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		if err := e.Encode(message); err != nil {
			return nil, fmt.Errorf("write message: %w", err)
		}
		b.Truncate(b.Len() - 1) // the line that Encode ends
		b.WriteString(": ")
		if err := e.Encode(all[message]); err != nil {
			return nil, fmt.Errorf("write files: %w", err)
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// sorted returns the messages in their order.
func sorted(all used) []string {
	out := make([]string, 0, len(all))
	for message := range all {
		out = append(out, message)
	}
	slices.Sort(out)
	return out
}

// gather reads all files.
func gather(web string) (used, error) {
	all := used{}
	for _, w := range words.Enumerated {
		all.add(w, words.EnumeratedFile)
	}
	for _, s := range words.OfSources {
		all.add(s, words.SaidFile)
	}
	for _, s := range words.OfDeliveries {
		all.add(s, words.SaidFile)
	}
	templates, err := filepath.Glob(filepath.Join(web, "templates", "*.html"))
	if err != nil {
		return nil, fmt.Errorf("list templates: %w", err)
	}
	for _, name := range templates {
		b, err := os.ReadFile(name) //nolint:gosec // a file of the repository
		if err != nil {
			return nil, fmt.Errorf("read template: %w", err)
		}
		for _, message := range words.ReadTemplate(string(b)).Messages() {
			all.add(message, filepath.Base(name))
		}
	}
	modules, err := filepath.Glob(filepath.Join(web, "static", "*.js"))
	if err != nil {
		return nil, fmt.Errorf("list modules: %w", err)
	}
	for _, name := range modules {
		b, err := os.ReadFile(name) //nolint:gosec // a file of the repository
		if err != nil {
			return nil, fmt.Errorf("read module: %w", err)
		}
		for _, message := range marked(string(b)) {
			all.add(message, filepath.Base(name))
		}
	}
	if err := goFiles(web, web, all); err != nil {
		return nil, err
	}
	for _, path := range erring {
		if err := goFiles(filepath.Join(web, "..", path), web, all); err != nil {
			return nil, err
		}
	}
	if err := goFiles(filepath.Join(web, "..", "ingest"), web, all); err != nil {
		return nil, err
	}
	return all, nil
}

// goFiles reads the Go files below a directory.
func goFiles(dir, web string, all used) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		if strings.Contains(name, "gather") {
			return nil
		}
		return goFile(name, strings.HasPrefix(dir, web) && dir == web, all)
	})
}
