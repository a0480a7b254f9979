package vault

import (
	"fmt"
	"os"
	"runtime"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
)

// openDirectory creates a directory that nobody else may enter. Unfinished files lie beside those that they become, because
// nobody can rename a file into another disk.
func openDirectory(dir string) (*blob.Bucket, error) {
	bucket, err := fileblob.OpenBucket(dir, &fileblob.Options{CreateDir: true, DirFileMode: 0o700, NoTempDir: true, Metadata: fileblob.MetadataDontWrite})
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" { // where modes say nothing
		return nil, fmt.Errorf("%s can be entered by others (mode %04o): chmod 700 it, or name a directory below it that does not exist yet", dir, info.Mode().Perm())
	}
	return bucket, nil
}
