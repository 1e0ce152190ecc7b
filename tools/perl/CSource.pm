# Functions, declarations, tables and macros of C files, read without a compiler: what tools/measure_style and
# tools/walk need to know. Written for code in the format of this repository; a line that it cannot read is
# passed over.
package CSource;
use strict;
use warnings;
use File::Find;

# Files of the folders that are there, sorted: paths relative to the folder at hand.
sub files_of {
    my ($pattern, @folders) = @_;
    my @files;
    my @there = grep { -d $_ } @folders;
    if (@there) {
        my $skip = sub { grep { $_ !~ /^(?:node_modules|\..+)$/ } @_ };
        my $take = sub { push @files, $File::Find::name if /$pattern/ && -f $_ };
        find({ preprocess => $skip, wanted => $take }, @there);
    }
    @files = sort @files;
    return @files;
}

sub read_text {
    my ($path) = @_;
    open(my $file, '<:raw', $path) or die "$path: $!\n";
    local $/;
    my $text = <$file>;
    close($file);
    return $text;
}

sub newlines { my $text = $_[0]; $text =~ tr/\n//cd; return $text; }

# The text without comments; strings and characters are empty. Lines stay.
sub code_of {
    my ($text) = @_;
    $text =~ s{(//(?:[^\n\\]|\\\n|\\.)*|/\*.*?\*/)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')}
              {defined($1) ? ' ' . newlines($1) : substr($2, 0, 1) eq '"' ? '""' : '0'}gse;
    return $text;
}

# Takes the directives out of a code: (code, macros: name => [parameters or undef, body], includes:
# [text...]).
sub split_directives {
    my ($code, $text) = @_;
    my (%macros, @includes);
    push @includes, $1 while $text =~ /^[ \t]*#[ \t]*include[ \t]*(["<][^">\n]+)/mg;
    my $cplusplus = qr/^[ \t]*#[ \t]*if(?:def[ \t]+|[ \t]+defined\(?)__cplusplus/m;
    $code =~ s{$cplusplus.*?^[ \t]*#[ \t]*endif}{newlines($&)}gmse;
    $code =~ s{^[ \t]*#((?:[^\\\n]|\\\n|\\.)*)}{
        my ($directive, $lines) = ($1, newlines($1));
        if ($directive =~ /^[ \t]*define[ \t]+(\w+)(?:\(([^()]*)\))?(.*)/s) {
            my ($name, $parameters, $body) = ($1, $2, $3);
            $body =~ s/\\\n/ /g;
            $macros{$name} = [ defined($parameters) ? [ split(/[\s,]+/, $parameters) ] : undef, $body ];
        }
        $lines }gme;
    return ($code, \%macros, \@includes);
}

my ($braces, $parens);
$braces = qr/\{(?:[^{}]++|(??{$braces}))*+\}/;
$parens = qr/\((?:[^()]++|(??{$parens}))*+\)/;

# The text of a macro call whose parameters were replaced, with ## done.
sub expand {
    my ($macro, $arguments) = @_;
    my ($parameters, $body) = @$macro;
    my @values = split(/\s*,\s*/, $arguments);
    my %value;
    @value{ @{ $parameters || [] } } = map { s/^\s+|\s+$//gr } @values;
    $body =~ s/\b(\w+)\b/defined($value{$1}) ? $value{$1} : $1/ge;
    $body =~ s/\s*##\s*//g;
    return $body;
}

# Top-level items of a code without directives: lists of
#   functions:    { name, line, static, inline, body }
#   declarations: { name, line }
#   tables:       { name, line, body, head }  (objects with an initialiser)
# Calls of macros that write functions are expanded by `macros`.
sub items_of {
    my ($code, $macros) = @_;
    my %found = (functions => [], declarations => [], tables => []);
    read_items($code, $macros, \%found, 1, 0);
    return \%found;
}

sub read_items {
    my ($code, $macros, $found, $line, $depth) = @_;
    $code .= ';'; # for macro calls at the end
    while ($code =~ /\G([^;{}]*+)(;|\}|(?:$braces[^;{}=()\n]*;)|$braces|(?:=\s*[^;]*;))/gc) {
        my ($head, $rest) = ($1, $2);
        my $start = $line;
        $line += ($head =~ tr/\n//) + ($rest =~ tr/\n//);
        while ($depth < 3 && $head =~ s/^(\s*)([A-Z][A-Z0-9_]*)\s*\(([^()]*)\)(?=\s*(?:[A-Za-z_]|$))//) {
            my ($space, $name, $arguments) = ($1, $2, $3);
            $start += ($space =~ tr/\n//);
            if ($macros->{$name}) {
                read_items(expand($macros->{$name}, $arguments), $macros, $found, $start, $depth + 1);
            }
        }
        $head =~ s/__attribute__\s*$parens//g;
        $head =~ s/\(\s*\*\s*(\w+\s*$parens)\s*\)\s*\[\w*\]\s*$/$1/; # returns a pointer to an array
        $start += $head =~ /^(\s*)/ ? ($1 =~ tr/\n//) : 0;
        read_item($head, $rest, $start, $found);
    }
}

sub read_item {
    my ($head, $rest, $line, $found) = @_;
    return if $head =~ /^\s*(?:typedef|_Static_assert|static_assert)\b/;
    if ($rest =~ /^\{/ && $head =~ /^([^()=]*?)\b(\w+)\s*$parens\s*$/s) {
        my ($before, $name) = ($1, $2);
        push @{ $found->{functions} },
            { name => $name, line => $line, body => $rest, head => $head,
              static => ($before =~ /\b(?:static|KERNEL_INLINE)\b/ ? 1 : 0),
              inline => ($before =~ /\b(?:inline|KERNEL_INLINE)\b/ ? 1 : 0) };
    }
    elsif ($rest =~ /^\{/ && $head =~ /(\w+)\s*(?:\[[^\[\]]*\]\s*)*=\s*$/) {
        push @{ $found->{tables} }, { name => $1, line => $line, body => $rest, head => $head };
    }
    elsif ($rest =~ /^[;{]/ && $head =~ /^[^=()]*?(\w+)\s*(?:\[[^\[\]]*\]\s*)*=(.*)$/s) {
        push @{ $found->{tables} }, { name => $1, line => $line, body => $2 . $rest, head => $head };
    }
    elsif ($rest eq ';' && $head =~ /^\s*\w[^()=]*?\b(\w+)\s*$parens\s*(?:\w+\s*$parens)?\s*$/s) {
        push @{ $found->{declarations} }, { name => $1, line => $line };
    }
    elsif ($rest eq ';' && $head =~ /^\s*[A-Z]\w+\s+(\w+(?:\s*,\s*\w+)*)\s*$/) { # by a type of functions
        push @{ $found->{declarations} }, map { { name => $_, line => $line } } split(/\s*,\s*/, $1);
    }
}

# Everything of the files: path => { text, code, macros, includes, functions, declarations, tables }.
sub read_all {
    my (@paths) = @_;
    my (%files, %macros);
    for my $path (@paths) {
        my $text = read_text($path);
        my ($code, $own, $includes) = split_directives(code_of($text), $text);
        $files{$path} = { text => $text, code => $code, macros => $own, includes => $includes };
        $macros{$_} = $own->{$_} for grep { $own->{$_}[0] } keys %$own;
    }
    for my $path (@paths) {
        my $items = items_of($files{$path}{code}, \%macros);
        $files{$path}{$_} = $items->{$_} for keys %$items;
    }
    return \%files;
}

1;
