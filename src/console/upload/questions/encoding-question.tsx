import { Radio, SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import { createElement } from 'react'
import type { Encoding, EncodingSample } from '#files/text/encodings'
import { type FileQuestionProps, QuestionCard } from './question-card'

const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
}

/** Keeps the most frequent one of the encodings that give the same text. */
const differentSamples = (samples: readonly EncodingSample[]): EncodingSample[] => {
  const texts = samples.map(({ lines }) => lines.join('\n'))
  return samples.filter((_, index) => texts.indexOf(texts[index] ?? '') === index)
}

/** Asks for the encoding of the file, with a sample for each. */
export function EncodingQuestion({ file: { csv, answers }, upload, disabled }: FileQuestionProps) {
  const { encoding } = answers
  return (
    <QuestionCard
      title="Some characters look wrong. Which version is right?"
      answer={encoding && ENCODING_NAMES[encoding]}
      disabled={disabled}
    >
      <Text size="sm">
        If none of these is right, save the file as “CSV UTF-8” in the spreadsheet program and choose it again.
      </Text>
      <Radio.Group
        label={<VisuallyHidden>Right version</VisuallyHidden>}
        value={encoding ?? null}
        onChange={(value) => {
          const sample = csv.encodingSamples.find((one) => one.encoding === value)
          if (sample !== undefined) upload.answer({ encoding: sample.encoding })
        }}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }} mt="xs">
          {differentSamples(csv.encodingSamples).map((sample) => (
            <Radio
              key={sample.encoding}
              value={sample.encoding}
              disabled={disabled}
              label={
                <>
                  {sample.lines.map((line, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a line may occur twice.
                    <Text key={index} span display="block" size="sm" className="breakable" translate="no">
                      <Highlighted line={line} />
                    </Text>
                  ))}
                  <Text span size="xs" c="dimmed">
                    {ENCODING_NAMES[sample.encoding]}
                  </Text>
                </>
              }
            />
          ))}
        </SimpleGrid>
      </Radio.Group>
    </QuestionCard>
  )
}

/** A line in which the characters that depend on the encoding are highlighted. */
const Highlighted = ({ line }: { line: string }) =>
  line
    .split(/([^\p{ASCII}…]+)/u)
    .map((part, index) => createElement(index % 2 === 0 ? 'span' : 'mark', { key: index }, part))
