package service

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// minSecret is the least length of ROLLCALL_SECRET_KEY in characters. 32 random characters of Base64 hold 192
// bits.
const minSecret = 32

// SecretKeys returns the keys of 32 bytes from which those of cursors, archives, webhook secrets and signed
// addresses are derived. The first one is in use: it comes from ROLLCALL_SECRET_KEY, which replicas share. Without that it
// comes from a file in the data directory, which only its owner can read and which is made at first use. The others are
// older ones, under which something may be stored still: further lines of the file, and ROLLCALL_SECRET_KEYS_OLD.
func (a *App) SecretKeys() ([][]byte, error) {
	texts := []string{a.SecretKey}
	if a.SecretKey == "" {
		text, err := secretFile(filepath.Join(a.DataDir, "secret.key"))
		if err != nil {
			return nil, err
		}
		texts = lines(text)
	}
	var keys [][]byte
	for _, text := range append(texts, a.OldSecretKeys...) {
		sum := sha256.Sum256([]byte(text))
		keys = append(keys, sum[:])
	}
	return keys, nil
}

// lines returns the lines of a text that are not blank.
func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// secretFile reads the key of a data directory, or makes it. A damaged file is an error: a new key would make
// archives and webhook secrets unreadable for good.
func secretFile(path string) (string, error) {
	b, err := os.ReadFile(path) //nolint:gosec // a file of the data directory
	if err == nil {
		text := strings.TrimSpace(string(b))
		if len(text) >= minSecret && !slices.ContainsFunc(lines(text), func(line string) bool { return len(line) < minSecret }) {
			return text, nil
		}
		return "", fmt.Errorf("%s is damaged: without the key that it held, archives cannot be read; restore it from a backup", path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read secret key: %w", err)
	}
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // never fails (crypto/rand)
	text := base64.StdEncoding.EncodeToString(raw)
	if err := os.MkdirAll(filepath.Dir(path), 0o711); err != nil { //nolint:gosec // the database user passes through
		return "", fmt.Errorf("make data directory: %w", err)
	}
	// The file is written under another name and linked into place, so that two processes that start together
	// agree on one key. Renaming would replace the key of the first.
	tmp, err := os.CreateTemp(filepath.Dir(path), ".secret-*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("write secret key: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(text + "\n")
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return "", fmt.Errorf("write secret key: %w", err)
	}
	if err := os.Link(tmp.Name(), path); errors.Is(err, fs.ErrExist) {
		return secretFile(path)
	} else if err != nil {
		return "", fmt.Errorf("write secret key: %w", err)
	}
	return text, nil
}
